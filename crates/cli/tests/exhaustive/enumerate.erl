%% Calls every function on every input and prints how the crashing calls end.
-module(enumerate).
-export([main/0, lines/1]).

main() ->
    [function(Name, Inputs) || {Name, Inputs} <- finite_inputs:all()],
    ok.

%% Which lines of the module all inputs together run, by the VM's own count.
lines(File) ->
    {ok, finite} = cover:compile_module(File, [nowarn_deprecated_function]),
    [begin
         erase(),
         catch apply(finite, Name, [value(Arg) || Arg <- Args])
     end
     || {Name, Inputs} <- finite_inputs:all(), Args <- Inputs],
    {ok, Counts} = cover:analyse(finite, calls, line),
    [io:format("~w\t~w~n", [Line, Calls]) || {{finite, Line}, Calls} <- Counts, Line > 0],
    ok.

function(Name, Inputs) ->
    Shown = io_lib:format("~s/~w", [Name, length(hd(Inputs))]),
    io:format("inputs\t~s\t~w~n", [Shown, length(Inputs)]),
    [call(Name, Shown, Args) || Args <- Inputs],
    ok.

call(Name, Shown, Args) ->
    erase(),
    try apply(finite, Name, [value(Arg) || Arg <- Args])
    catch
        Class:Reason:Trace ->
            case is_outside(Name, Args, Reason, Trace) of
                true -> ok;
                false -> crash(Shown, Class, Reason, line(Trace), Args)
            end
    end.

%% Without a spec, inputs that no clause takes are outside the domain, and so are parts of them that no clause takes
%% whatever stands beside them.
is_outside(Name, Args, function_clause, [{finite, Name, Args, _} | _]) ->
    true;
is_outside(Name, _, function_clause, [{passed, Name, [_, Part], _} | _]) ->
    not lists:any(fun(X) -> takes(Name, [X, Part]) end, [a, b, 1, {}, c, zz]);
is_outside(_, _, _, _) ->
    false.

crash(Shown, Class, Reason, Line, Args) ->
    Text = lists:join(";", [text(Arg) || Arg <- Args]),
    io:format("crash\t~s\t~w\t~0p\t~w\t~s~n", [Shown, Class, tag(Reason), Line, Text]).

%% True if the function has a clause for these arguments.
takes(Name, Args) ->
    try apply(finite, Name, Args) of
        _ -> true
    catch
        _:Reason:Trace -> {Reason, setelement(4, hd(Trace), [])} =/= {function_clause, {finite, Name, Args, []}}
    end.

%% A fun is listed by its results, in the order of its arguments.
value({'$fun', 1, Results}) -> fun(A) -> lists:nth(A + 1, Results) end;
value({'$fun', 2, Results}) -> fun(A, B) -> lists:nth(A * 2 + B + 1, Results) end;
value({'$call', Fun}) -> Fun;
value(Value) -> Value.

text({'$fun', _, Results}) -> io_lib:format("fun ~0p", [Results]);
text(Value) -> io_lib:format("~0p", [Value]).

tag(Reason) when tuple_size(Reason) > 0 -> tag(element(1, Reason));
tag(Reason) -> Reason.

line(Trace) ->
    [Line | _] = [proplists:get_value(line, Place, 0) || {Module, _, _, Place} <- Trace, is_tested(Module)],
    Line.

is_tested(Module) -> lists:member(Module, [finite, other, made, passed]).
