%% A tokenizer and a calculator of infix expressions.
%! tokens/1 declared throw:{illegal,_,_}@illegal
%! tokens/1 bug error:badarg@float
%! eval/1 bug error:badarith@division
%! eval/1 declared error:{unexpected,_}@unexpected
%! eval/1 bug error:{badmatch,_}@close
%! eval/1 bug error:function_clause@primary
%! variables/2 bug error:{badkey,_}@variable
%! variables/2 bug error:badarith@negative
-module(tokens).
-export([tokens/1, eval/1, variables/2]).

-type token() :: {number, number()} | '+' | '-' | '*' | '/' | '(' | ')'.

-spec tokens(string()) -> [token()].
tokens(Text) -> tokens(Text, 1).

tokens([], _) -> [];
tokens([C | Rest], At) when C =:= $\s; C =:= $\t -> tokens(Rest, At + 1);
tokens([C | Rest], At) when C =:= $+; C =:= $-; C =:= $*; C =:= $/; C =:= $(; C =:= $) ->
    [list_to_atom([C]) | tokens(Rest, At + 1)];
tokens([C | _] = Text, At) when C >= $0, C =< $9 ->
    {Digits, Rest} = lists:splitwith(fun(D) -> D >= $0 andalso D =< $9 orelse D =:= $. end, Text),
    Number = case lists:member($., Digits) of
        true -> list_to_float(Digits); %@float
        false -> list_to_integer(Digits)
    end,
    [{number, Number} | tokens(Rest, At + length(Digits))];
tokens([C | _], At) -> throw({illegal, C, At}). %@illegal

-spec eval([{number, integer()} | '+' | '-' | '*' | '/' | '(' | ')']) -> integer().
eval(Tokens) ->
    case sum(Tokens) of
        {Value, []} -> Value;
        {_, [Token | _]} -> error({unexpected, Token}) %@unexpected
    end.

sum(Tokens) ->
    {Value, Rest} = product(Tokens),
    sum(Value, Rest).

sum(Left, ['+' | Rest]) -> {Right, More} = product(Rest), sum(Left + Right, More);
sum(Left, ['-' | Rest]) -> {Right, More} = product(Rest), sum(Left - Right, More);
sum(Value, Rest) -> {Value, Rest}.

product(Tokens) ->
    {Value, Rest} = primary(Tokens),
    product(Value, Rest).

product(Left, ['*' | Rest]) -> {Right, More} = primary(Rest), product(Left * Right, More);
product(Left, ['/' | Rest]) -> {Right, More} = primary(Rest), product(Left div Right, More); %@division
product(Value, Rest) -> {Value, Rest}.

primary([{number, N} | Rest]) -> {N, Rest}; %@primary
primary(['-' | Rest]) -> {Value, More} = primary(Rest), {-Value, More};
primary(['(' | Rest]) ->
    {Value, More} = sum(Rest),
    [')' | After] = More, %@close
    {Value, After}.

-type expr() :: integer() | {var, x | y | z} | {neg | sqrt, expr()}.
-spec variables(expr(), #{x => integer(), y => integer()}) -> number().
variables(N, _) when is_integer(N) -> N;
variables({var, Name}, Env) -> maps:get(Name, Env); %@variable
variables({neg, E}, Env) -> -variables(E, Env);
variables({sqrt, E}, Env) -> math:sqrt(variables(E, Env)). %@negative
