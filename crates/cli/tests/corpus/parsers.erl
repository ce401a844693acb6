%% Parsers and interpreters for small languages.
%! parse/1 crash error:function_clause@factor error:{badmatch,_}@close throw:{trailing,_}@trailing
%! rpn/1 crash error:badarith@div error:function_clause@rpn error:{badmatch,_}@rpntop
%! vm/2 crash error:badarg@load exit:{halted,_}@halt error:function_clause@exec error:{case_clause,_}@jump
%! brackets/1 crash error:{mismatch,_}@mismatch error:unclosed@unclosed
%! lisp/2 crash error:badarith@lispadd error:{unbound,_}@unbound error:{case_clause,_}@lispif error:function_clause@lisp
%! json/1 crash error:function_clause@json
%! infix/1 crash error:badarith@infixdiv
%! glob/2 crash error:match@glob
%! number/1 crash error:badarg@number error:badarg@hex
%! calc/1 crash error:{badmatch,_}@calc
%! tokens/1 crash throw:{bad_char,_}@badchar error:bug@tokbug
-module(parsers).
-export([parse/1, rpn/1, vm/2, brackets/1, tokens/1, lisp/2, json/1, infix/1, glob/2, number/1, calc/1]).

-type token() :: {int, integer()} | '+' | '*' | '(' | ')'.
-type ast() :: integer() | {'+' | '*', ast(), ast()}.

-spec parse([token()]) -> ast().
parse(Tokens) ->
    case expr(Tokens) of
        {Ast, []} -> Ast;
        {_, [T | _]} -> throw({trailing, T}) %@trailing
    end.
expr(Ts) ->
    {A, Rest} = term(Ts),
    case Rest of
        ['+' | More] -> {B, Rest2} = expr(More), {{'+', A, B}, Rest2};
        _ -> {A, Rest}
    end.
term(Ts) ->
    {A, Rest} = factor(Ts),
    case Rest of
        ['*' | More] -> {B, Rest2} = term(More), {{'*', A, B}, Rest2};
        _ -> {A, Rest}
    end.
factor([{int, N} | Ts]) -> {N, Ts}; %@factor
factor(['(' | Ts]) -> {A, Rest} = expr(Ts), [')' | Rest2] = Rest, {A, Rest2}. %@close

-spec rpn([integer() | add | sub | 'div' | dup]) -> integer().
rpn(Ops) -> [Top] = lists:foldl(fun rpn/2, [], Ops), Top. %@rpntop
rpn(N, S) when is_integer(N) -> [N | S]; %@rpn
rpn(add, [B, A | S]) -> [A + B | S];
rpn(sub, [B, A | S]) -> [A - B | S];
rpn('div', [B, A | S]) -> [A div B | S]; %@div
rpn(dup, [A | S]) -> [A, A | S].

-type reg() :: 1..4.
-type instr() :: {load, reg(), integer()} | {add, reg(), reg()} | {jz, reg(), integer()} | dec | halt.
-spec vm([instr()], integer()) -> integer().
vm(Program, Fuel) -> exec(1, list_to_tuple(Program), {0, 0, 0}, min(Fuel, 6)).
exec(_, _, Regs, Fuel) when Fuel =< 0 -> element(1, Regs); %@exec
exec(Pc, P, Regs, _) when Pc =:= tuple_size(P) + 1 -> element(2, Regs);
exec(Pc, P, Regs, Fuel) when Pc >= 1, Pc =< tuple_size(P) ->
    case element(Pc, P) of
        {load, R, N} -> exec(Pc + 1, P, setelement(R, Regs, N), Fuel - 1); %@load
        {add, A, B} when A < 4, B < 4 -> exec(Pc + 1, P, setelement(A, Regs, element(A, Regs) + element(B, Regs)), Fuel - 1);
        {add, _, _} -> exec(Pc + 1, P, Regs, Fuel - 1);
        {jz, R, Off} when R < 4 ->
            case element(R, Regs) of %@jump
                0 -> exec(Pc + Off, P, Regs, Fuel - 1);
                N when N < 100 -> exec(Pc + 1, P, Regs, Fuel - 1)
            end;
        {jz, _, _} -> exec(Pc + 1, P, Regs, Fuel - 1);
        dec -> exec(Pc + 1, P, setelement(1, Regs, element(1, Regs) - 1), Fuel - 1);
        halt -> exit({halted, Pc}) %@halt
    end.

-spec brackets([$( | $) | $[ | $]]) -> ok.
brackets(S) -> brackets(S, []).
brackets([], []) -> ok;
brackets([], [_ | _]) -> error(unclosed); %@unclosed
brackets([C | T], St) when C =:= $(; C =:= $[ -> brackets(T, [C | St]);
brackets([$) | T], [$( | St]) -> brackets(T, St);
brackets([$] | T], [$[ | St]) -> brackets(T, St);
brackets([C | _], _) -> error({mismatch, C}). %@mismatch

-spec tokens([$0..$9 | $\s | $+ | $x]) -> [term()].
tokens(S) ->
    case tokens(S, []) of
        [{int, 42}, plus, {int, 7}] -> error(bug); %@tokbug
        Ts -> Ts
    end.
tokens([], Acc) -> lists:reverse(Acc);
tokens([$\s | T], Acc) -> tokens(T, Acc);
tokens([$+ | T], Acc) -> tokens(T, [plus | Acc]);
tokens([D | _] = S, Acc) when D >= $0, D =< $9 ->
    {Ds, Rest} = lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, S),
    tokens(Rest, [{int, list_to_integer(Ds)} | Acc]);
tokens([C | _], _) -> throw({bad_char, C}). %@badchar

-type lisp() :: integer() | boolean() | atom() | [lisp()].
-spec lisp(lisp(), [{atom(), integer()}]) -> integer() | boolean().
lisp(N, _) when is_integer(N); is_boolean(N) -> N; %@lisp
lisp(V, Env) when is_atom(V) ->
    case proplists:lookup(V, Env) of
        {V, N} -> N;
        none -> error({unbound, V}) %@unbound
    end;
lisp([add, A, B], Env) -> lisp(A, Env) + lisp(B, Env); %@lispadd
lisp(['if', C, A, B], Env) ->
    case lisp(C, Env) of %@lispif
        true -> lisp(A, Env);
        false -> lisp(B, Env)
    end.

-type json() :: null | boolean() | integer() | {string, string()} | {array, [json()]} | {object, [{atom(), json()}]}.
-spec json(json()) -> non_neg_integer().
json(null) -> 0; %@json
json(B) when is_boolean(B) -> 1;
json(N) when is_integer(N), N >= 0 -> 1;
json({string, S}) -> length(S);
json({array, L}) -> lists:sum([json(J) || J <- L]);
json({object, [{_, J} | Ps]}) -> json(J) + json({object, Ps});
json({object, []}) -> 0.

-spec infix([integer() | '+' | '-' | '/']) -> integer() | error.
infix([A]) when is_integer(A) -> A;
infix([A, '+' | T]) when is_integer(A) -> case infix(T) of error -> error; B -> A + B end;
infix([A, '-' | T]) when is_integer(A) -> case infix(T) of error -> error; B -> A - B end;
infix([A, '/' | T]) when is_integer(A) -> case infix(T) of error -> error; B -> A div (B - 12) end; %@infixdiv
infix(_) -> error.

-spec glob([$* | $? | $a..$c], [$a..$c]) -> boolean().
glob("", "") -> true;
glob("*a*b", "cab") -> error(match); %@glob
glob([$* | P], S) -> glob(P, S) orelse (S =/= [] andalso glob([$* | P], tl(S)));
glob([$? | P], [_ | S]) -> glob(P, S);
glob([C | P], [C | S]) -> glob(P, S);
glob(_, _) -> false.

-spec number(string()) -> integer().
number("-" ++ S) -> -list_to_integer(S); %@number
number("0x" ++ S) -> list_to_integer(S, 16); %@hex
number(_) -> 0.

-spec calc(nonempty_list({push, -9..9} | pop | mul)) -> integer().
calc(Is) -> {ok, R} = calc(Is, []), R. %@calc
calc([], [R]) -> {ok, R};
calc([{push, N} | Is], St) -> calc(Is, [N | St]);
calc([pop | Is], [_ | St]) -> calc(Is, St);
calc([mul | Is], [A, B | St]) -> calc(Is, [A * B | St]);
calc(_, St) -> {error, St}.
