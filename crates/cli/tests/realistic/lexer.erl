%% A lexer with its state in a record, without specs, and what is made of its tokens.
%! tokens/1 bug error:function_clause@string
%! tokens/1 bug error:badarg@integer
%! pad/1 doubtful error:badarg@pad
%! reduce/2 bug error:badarith@divide
%! reduce/2 bug error:{case_clause,_}@operator
%! expect/2 declared throw:{expected,_,_}@expect
-module(lexer).
-export([tokens/1, pad/1, reduce/2, expect/2]).

-record(lexer, {line = 1, column = 1, tokens = []}).

tokens(Text) when is_binary(Text) ->
    #lexer{tokens = Tokens} = scan(Text, #lexer{}),
    lists:reverse(Tokens).

scan(<<>>, Lexer) -> Lexer;
scan(<<"\n", Rest/binary>>, #lexer{line = Line} = Lexer) -> scan(Rest, Lexer#lexer{line = Line + 1, column = 1});
scan(<<"\"", Rest/binary>>, Lexer) -> string(Rest, [], Lexer);
scan(<<"#", Rest/binary>>, Lexer) ->
    [Digits | Others] = binary:split(Rest, <<" ">>),
    scan(iolist_to_binary(Others), token({integer, binary_to_integer(Digits, 16)}, Lexer)); %@integer
scan(<<C, Rest/binary>>, Lexer) -> scan(Rest, token({char, C}, Lexer)).

string(<<"\"", Rest/binary>>, Chars, Lexer) -> scan(Rest, token({string, lists:reverse(Chars)}, Lexer)); %@string
string(<<C, Rest/binary>>, Chars, Lexer) -> string(Rest, [C | Chars], Lexer).

token(Token, #lexer{column = Column, tokens = Tokens} = Lexer) ->
    Lexer#lexer{column = Column + 1, tokens = [Token | Tokens]}.

%% What stands before a token in a message: the state is the lexer's own.
pad(#lexer{column = Column}) -> binary:copy(<<" ">>, Column - 1). %@pad

-spec reduce([{'+' | '-' | '/' | '%', integer()}], integer()) -> integer().
reduce([], Value) -> Value;
reduce([{Operator, By} | Rest], Value) ->
    New = case Operator of %@operator
        '+' -> Value + By;
        '-' -> Value - By;
        '/' -> Value div By %@divide
    end,
    reduce(Rest, New).

-spec expect(atom(), [{atom(), term()}]) -> [{atom(), term()}].
expect(Kind, [{Kind, _} | Rest]) -> Rest;
expect(Kind, Tokens) -> throw({expected, Kind, Tokens}). %@expect
