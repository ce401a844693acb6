%% Calls every function on every input and tells how the crashing calls end.
-module(enumerate).
-export([main/0]).

main() ->
    [function(Name, Inputs) || {Name, Inputs} <- finite_inputs:all()],
    ok.

function(Name, Inputs) ->
    Shown = io_lib:format("~s/~w", [Name, length(hd(Inputs))]),
    io:format("inputs\t~s\t~w~n", [Shown, length(Inputs)]),
    [call(Name, Shown, Args) || Args <- Inputs],
    ok.

call(Name, Shown, Args) ->
    try apply(finite, Name, Args)
    catch
        Class:Reason:Trace ->
            Text = lists:join(";", [io_lib:format("~0p", [Arg]) || Arg <- Args]),
            io:format("crash\t~s\t~w\t~0p\t~w\t~s~n", [Shown, Class, tag(Reason), line(Trace), Text])
    end.

tag(Reason) when is_tuple(Reason) -> element(1, Reason);
tag(Reason) -> Reason.

line(Trace) ->
    [Line | _] = [proplists:get_value(line, Place, 0) || {finite, _, _, Place} <- Trace],
    Line.
