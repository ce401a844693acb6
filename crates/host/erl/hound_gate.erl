%% Functions that patched modules call in place of the VM's own operations, or before them: messages, waits, and calls by
%% computed names.
%%
%% Nothing stays on the stack: the called function sees the caller that wrote the call.
-module(hound_gate).
-export([send/2, look/0, await/1, sleep/1, is_up/0]).
-export([apply/2, apply/3, apply/4, apply/5, apply/6, apply/7, apply/8, apply/9, apply/10]).

-compile({no_auto_import, [apply/2, apply/3]}).

-spec send(term(), Message) -> Message.
send(To, Message) ->
    hound_guard:address({erlang, '!', 2}, To),
    case hound_turn:send(To, Message) of
        true -> Message;
        false -> To ! Message
    end.

%% Before a look at the messages that does not wait.
-spec look() -> ok.
look() ->
    hound_turn:look().

%% Before a wait for a message: `up` if its time is over, and else what leads to the wait.
-spec await(timeout()) -> up | wait.
await(Time) ->
    hound_turn:await(Time).

%% The time to wait where there is nothing to wait for.
-spec sleep(Time) -> Time | timeout().
sleep(Time) ->
    hound_turn:sleep(Time).

%% True if the time of a wait is over that has been waited for.
-spec is_up() -> boolean().
is_up() ->
    hound_turn:is_up().

%% Module and name come last. Longer ones come to hound_guard by way of error_handler.
apply(M, F) ->
    case hound_guard:is_free(M) of true -> M:F(); false -> hound_guard:door(M, F, []) end.
apply(A, M, F) ->
    case hound_guard:is_free(M) of true -> M:F(A); false -> hound_guard:door(M, F, [A]) end.
apply(A, B, M, F) ->
    case hound_guard:is_free(M) of true -> M:F(A, B); false -> hound_guard:door(M, F, [A, B]) end.
apply(A, B, C, M, F) ->
    case hound_guard:is_free(M) of true -> M:F(A, B, C); false -> hound_guard:door(M, F, [A, B, C]) end.
apply(A, B, C, D, M, F) ->
    case hound_guard:is_free(M) of true -> M:F(A, B, C, D); false -> hound_guard:door(M, F, [A, B, C, D]) end.
apply(A, B, C, D, E, M, F) ->
    case hound_guard:is_free(M) of true -> M:F(A, B, C, D, E); false -> hound_guard:door(M, F, [A, B, C, D, E]) end.
apply(A, B, C, D, E, G, M, F) ->
    case hound_guard:is_free(M) of
        true -> M:F(A, B, C, D, E, G);
        false -> hound_guard:door(M, F, [A, B, C, D, E, G])
    end.
apply(A, B, C, D, E, G, H, M, F) ->
    case hound_guard:is_free(M) of
        true -> M:F(A, B, C, D, E, G, H);
        false -> hound_guard:door(M, F, [A, B, C, D, E, G, H])
    end.
apply(A, B, C, D, E, G, H, I, M, F) ->
    case hound_guard:is_free(M) of
        true -> M:F(A, B, C, D, E, G, H, I);
        false -> hound_guard:door(M, F, [A, B, C, D, E, G, H, I])
    end.
