%% Compiled modules whose calls go through the guard: the import table, the calls by computed names and the funs among the
%% literals are changed, the program itself is not.
%%
%% A call of a function that is watched becomes a call of the same function of its door, a module that does not exist: the
%% VM asks `error_handler` for it, and that asks hound_guard. Calls by computed names and messages go to hound_gate.
%%
%% Where a conductor has processes take turns, a `receive` that does not wait forever asks at the gate before it looks at
%% the messages, and again when its time is up:
%%
%%     label L                          label L
%%     loop_rec F                       move Time, x0;  call hound_gate:await/1
%%     ...                              is_eq_exact N, x0, up;  jump U
%%     loop_rec_end L          =>       label N
%%     label F                          loop_rec F  ...  loop_rec_end N
%%     wait_timeout L, Time             label F
%%     timeout                          wait_timeout N, Time
%%                                      timeout;  call hound_gate:is_up/0;  is_eq_exact N, x0, true
%%                                      label U
%%                                      timeout
-module(hound_patch).
-export([beam/3, beam/4, calm/1, renamed/2, named/1, door/1, behind/1]).

%% Operations of the VM that are replaced, and what they are replaced by.
-define(LABEL, 1).
-define(CALL_EXT, 7).
-define(CALL_EXT_LAST, 8).
-define(SEND, 20).
-define(TIMEOUT, 22).
-define(LOOP_REC, 23).
-define(LOOP_REC_END, 24).
-define(WAIT, 25).
-define(WAIT_TIMEOUT, 26).
-define(IS_EQ_EXACT, 43).
-define(JUMP, 61).
-define(MOVE, 64).
-define(APPLY, 112).
-define(APPLY_LAST, 113).
-define(ON_LOAD, 149).
-define(LINE_OF, 153).

%% Tags of terms in code: atoms, registers, labels.
-define(A, 2).
-define(X, 3).
-define(F, 5).

-define(OPERATIONS, '$hound_operations').
-define(PREFIX, "hound door of ").

%% Operations of the VM that go through the gate: sending, and where a conductor has turns taken, waiting too.
-type gates() :: none | messages | conducted.
-export_type([gates/0]).

%% watched: which functions have doors; on_load: what becomes of a mark that a function is to be run when the module is
%% loaded; waits: what becomes of a `receive` that does not wait forever, by the place of the operation.
%% atoms and imports: what is added, the newest first, and how many there are now; labels likewise.
-record(patch, {watched, gates, on_load, waits = #{}, label_count, atoms = [], atom_count, imports = [], import_count}).

%% The module with every watched function behind its door; `same` if it has none, `on_load` if it runs something when it is
%% loaded.
-spec beam(binary(), fun((module(), atom(), arity()) -> boolean()), gates()) -> binary() | same | on_load.
beam(Beam, Watched, Gates) ->
    try beam(Beam, Watched, Gates, tell)
    catch throw:on_load -> on_load
    end.

%% The same, where the module may keep what it runs when it is loaded, or must do without.
-spec beam(binary(), fun((module(), atom(), arity()) -> boolean()), gates(), keep | drop | tell) -> binary() | same.
beam(Beam, Watched, Gates, OnLoad) ->
    patched(Beam, Watched, Gates, OnLoad).

%% The module without what it runs when it is loaded, and else as it is.
-spec calm(binary()) -> binary() | same.
calm(Beam) ->
    patched(Beam, fun(_, _, _) -> false end, none, forget).

patched(Beam, Watched, Gates, OnLoad) ->
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    {Atoms, AtomCount} = hound_atoms:read(Chunks),
    {_, <<ImportCount:32, Imports0/binary>>} = lists:keyfind("ImpT", 1, Chunks),
    {_, <<HeadSize:32, Head0:HeadSize/binary, Code0/binary>>} = lists:keyfind("Code", 1, Chunks),
    <<Set:32, Most:32, LabelCount:32, Rest/binary>> = Head0,
    Plain = #patch{watched = Watched, gates = Gates, on_load = OnLoad, label_count = LabelCount,
                   atom_count = AtomCount, import_count = ImportCount},
    Empty = with_waits(Code0, Plain),
    {Imports, Redirected} = imports(Imports0, hound_atoms:atoms(Atoms), Empty),
    {Code, Patched} = code(Code0, Redirected),
    Head = <<Set:32, Most:32, (Patched#patch.label_count):32, Rest/binary>>,
    Literals = literals(lists:keyfind("LitT", 1, Chunks), Watched),
    case Patched =:= Empty andalso Literals =:= same andalso iolist_size(Code) =:= byte_size(Code0) of
        true -> same;
        false ->
            New = [hound_atoms:add(lists:reverse(Patched#patch.atoms), Atoms),
                   {"ImpT", [<<(Patched#patch.import_count):32>>, Imports, added_imports(Patched)]},
                   {"Code", [<<HeadSize:32>>, Head, Code]} | [{"LitT", Literals} || Literals =/= same]],
            {ok, Built} = beam_lib:build_module([replaced(Chunk, New) || Chunk <- Chunks]),
            Built
    end.

replaced({Id, _} = Chunk, New) ->
    case lists:keyfind(Id, 1, New) of
        {_, Data} -> {Id, iolist_to_binary(Data)};
        false -> Chunk
    end.

%% The module under another name.
-spec renamed(binary(), module()) -> binary().
renamed(Beam, Module) ->
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    {Atoms, _} = hound_atoms:read(Chunks),
    {ok, Built} = beam_lib:build_module([replaced(Chunk, [hound_atoms:rename(Module, Atoms)]) || Chunk <- Chunks]),
    Built.

%% The modules that a module calls by name, or has funs of among its literals.
-spec named(binary()) -> [module()].
named(Beam) ->
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    {Table, _} = hound_atoms:read(Chunks),
    {_, <<_:32, Imports/binary>>} = lists:keyfind("ImpT", 1, Chunks),
    Atoms = hound_atoms:atoms(Table),
    Self = self(),
    %% No function is watched: each is noted.
    Note = fun(Module, _, _) -> Self ! {?MODULE, Module}, false end,
    same = literals(lists:keyfind("LitT", 1, Chunks), Note),
    lists:usort([element(M, Atoms) || <<M:32, _:32, _:32>> <= Imports] ++ noted()).

noted() ->
    receive {?MODULE, Module} -> [Module | noted()] after 0 -> [] end.

%% The door of a module, and the module behind a door.
-spec door(module()) -> module().
door(Module) -> list_to_atom(?PREFIX ++ atom_to_list(Module)).

-spec behind(module()) -> {ok, module()} | none.
behind(Door) ->
    case atom_to_list(Door) of
        ?PREFIX ++ Name -> {ok, list_to_atom(Name)};
        _ -> none
    end.

added_imports(#patch{imports = Imports}) ->
    [<<Module:32, Function:32, Arity:32>> || {_, {Module, Function, Arity}} <- lists:reverse(Imports)].

%% The number of an atom, which is added if need be.
with_atom(Atom, #patch{atoms = Atoms, atom_count = Count} = Patch) ->
    case length(lists:takewhile(fun(Other) -> Other =/= Atom end, Atoms)) of
        Before when Before < length(Atoms) -> {Count - Before, Patch};
        _ -> {Count + 1, Patch#patch{atoms = [Atom | Atoms], atom_count = Count + 1}}
    end.

imports(Imports, Atoms, Patch) ->
    lists:mapfoldl(fun(Import, Now) -> import(Import, Atoms, Now) end, Patch,
                   [{M, F, A} || <<M:32, F:32, A:32>> <= Imports]).

import({M, F, Arity}, Atoms, #patch{watched = Watched} = Patch) ->
    Module = element(M, Atoms),
    case Watched(Module, element(F, Atoms), Arity) of
        true ->
            {Door, After} = with_atom(door(Module), Patch),
            {<<Door:32, F:32, Arity:32>>, After};
        false ->
            {<<M:32, F:32, Arity:32>>, Patch}
    end.

%% The number of a function of hound_gate among the imports.
with_import(Function, Arity, #patch{imports = Imports, import_count = Count} = Patch) ->
    case lists:keyfind({Function, Arity}, 1, lists:zipwith(fun({Key, _}, At) -> {Key, At} end, Imports,
                                                           lists:seq(Count - 1, Count - length(Imports), -1))) of
        {_, At} -> {At, Patch};
        false ->
            {M, Patch1} = with_atom(hound_gate, Patch),
            {F, Patch2} = with_atom(Function, Patch1),
            Import = {{Function, Arity}, {M, F, Arity}},
            {Count, Patch2#patch{imports = [Import | Imports], import_count = Count + 1}}
    end.

%% What is not replaced is taken over in one piece, from Kept up to the place looked at.
code(Code, Patch) ->
    code(Code, 0, 0, operations(), Patch, []).

code(Code, At, Kept, Operations, Patch, Done) when At < byte_size(Code) ->
    Operation = binary:at(Code, At),
    Next = skip_terms(element(Operation, Operations), Code, At + 1),
    case replacement(Operation, Code, At + 1, Patch) of
        {New, After} ->
            code(Code, Next, Next, Operations, After, [Done, binary:part(Code, Kept, At - Kept) | New]);
        none ->
            code(Code, Next, Kept, Operations, Patch, Done)
    end;
code(Code, At, Kept, _, Patch, Done) ->
    {[Done | binary:part(Code, Kept, At - Kept)], Patch}.

%% Module and name stand where two more arguments would.
replacement(?APPLY, Code, At, #patch{on_load = OnLoad} = Patch) when OnLoad =/= forget ->
    {Arity, _} = unsigned(Code, At),
    {Import, After} = applied(Arity + 2, Patch),
    {[?CALL_EXT, coded(Arity + 2), coded(Import)], After};
replacement(?APPLY_LAST, Code, At, #patch{on_load = OnLoad} = Patch) when OnLoad =/= forget ->
    {Arity, Next} = unsigned(Code, At),
    {Frame, _} = unsigned(Code, Next),
    {Import, After} = applied(Arity + 2, Patch),
    {[?CALL_EXT_LAST, coded(Arity + 2), coded(Import), coded(Frame)], After};
replacement(?SEND, _, _, #patch{gates = Gates} = Patch) when Gates =/= none ->
    {Import, After} = with_import(send, 2, Patch),
    {[?CALL_EXT, coded(2), coded(Import)], After};
replacement(?ON_LOAD, _, _, #patch{on_load = tell}) ->
    throw(on_load);
replacement(?ON_LOAD, _, _, #patch{on_load = OnLoad} = Patch) when OnLoad =/= keep ->
    {[], Patch};
replacement(Operation, Code, At, #patch{waits = Waits} = Patch) when is_map_key(At, Waits) ->
    waiting(Operation, Code, At, map_get(At, Waits), Patch);
replacement(_, _, _, _) ->
    none.

%% Parts of a `receive` that does not wait forever. New: the label behind the gate; Up: that of the end of its time.
waiting(?LOOP_REC, Code, At, look, Patch) ->
    {Import, After} = with_import(look, 0, Patch),
    {[?CALL_EXT, coded(0), coded(Import) | whole(?LOOP_REC, 2, Code, At)], After};
waiting(?LOOP_REC, Code, At, {look, New}, Patch) ->
    {Again, After} = waiting(?LOOP_REC, Code, At, look, Patch),
    [Call, Arity, Import | Loop] = Again,
    {[Call, Arity, Import, ?LABEL, coded(New) | Loop], After};
waiting(?LOOP_REC, Code, At, {await, Time, New, Up}, Patch0) ->
    {Import, Patch1} = with_import(await, 1, Patch0),
    {Atom, Patch} = with_atom(up, Patch1),
    {[?MOVE, Time, coded(?X, 0), ?CALL_EXT, coded(1), coded(Import),
      ?IS_EQ_EXACT, coded(?F, New), coded(?X, 0), coded(?A, Atom), ?JUMP, coded(?F, Up), ?LABEL, coded(New)
      | whole(?LOOP_REC, 2, Code, At)], Patch};
waiting(?LOOP_REC_END, _, _, {again, New}, Patch) ->
    {[?LOOP_REC_END, coded(?F, New)], Patch};
waiting(?WAIT_TIMEOUT, _, _, {again, Time, New}, Patch) ->
    {[?WAIT_TIMEOUT, coded(?F, New), Time], Patch};
waiting(?WAIT_TIMEOUT, _, _, {sleep, Time, New}, Patch) ->
    {Import, After} = with_import(sleep, 1, Patch),
    {[?MOVE, Time, coded(?X, 0), ?CALL_EXT, coded(1), coded(Import), ?LABEL, coded(New),
      ?WAIT_TIMEOUT, coded(?F, New), coded(?X, 0)], After};
waiting(?TIMEOUT, _, _, {up, New, Up}, Patch0) ->
    {Import, Patch1} = with_import(is_up, 0, Patch0),
    {Atom, Patch} = with_atom(true, Patch1),
    {[?TIMEOUT, ?CALL_EXT, coded(0), coded(Import),
      ?IS_EQ_EXACT, coded(?F, New), coded(?X, 0), coded(?A, Atom), ?LABEL, coded(Up), ?TIMEOUT], Patch}.

whole(Operation, Terms, Code, At) ->
    [Operation, binary:part(Code, At, skip_terms(Terms, Code, At) - At)].

%% Finds the parts of every `receive` that does not wait forever.
with_waits(Code, #patch{gates = conducted} = Patch) ->
    Found = found(Code, 0, operations(), none, #{}),
    maps:fold(fun(At, Loop, Now) -> with_loop(At, Loop, Code, Found, Now) end, Patch, maps:get(loops, Found, #{}));
with_waits(_, Patch) ->
    Patch.

%% Before: the label that the operation stands behind. Of each label is kept where it is left to, and of each loop by the
%% label of its failure what it is.
found(Code, At, Operations, Before, Found) when At < byte_size(Code) ->
    Operation = binary:at(Code, At),
    Next = skip_terms(element(Operation, Operations), Code, At + 1),
    Now = case Operation of
              ?LABEL ->
                  {Label, _} = unsigned(Code, At + 1),
                  Found#{{at, Label} => Next};
              ?LOOP_REC ->
                  {Fail, _} = unsigned(Code, At + 1),
                  kept(loops, At + 1, {loop, Before, Fail}, Found);
              ?LOOP_REC_END ->
                  {Label, _} = unsigned(Code, At + 1),
                  kept(ends, At + 1, Label, Found);
              ?WAIT_TIMEOUT ->
                  {Label, _} = unsigned(Code, At + 1),
                  case Before of
                      %% A wait for no message.
                      Label -> kept(loops, At + 1, {sleep, Label}, Found);
                      _ -> Found
                  end;
              _ -> Found
          end,
    Behind = case Operation of
                 ?LABEL -> element(1, unsigned(Code, At + 1));
                 ?LINE_OF -> Before;
                 _ -> none
             end,
    found(Code, Next, Operations, Behind, Now);
found(_, _, _, _, Found) ->
    Found.

kept(Kind, At, What, Found) ->
    Found#{Kind => maps:put(At, What, maps:get(Kind, Found, #{}))}.

with_loop(At, {sleep, _}, Code, _, #patch{label_count = New, waits = Waits} = Patch) ->
    {Time, _} = time(Code, At),
    Patch#patch{label_count = New + 1, waits = Waits#{At => {sleep, Time, New}}};
with_loop(At, {loop, Label, Fail}, Code, Found, #patch{label_count = New, waits = Waits} = Patch) ->
    Place = after_lines(Code, maps:get({at, Fail}, Found)),
    Ends = [End || {End, Of} <- maps:to_list(maps:get(ends, Found, #{})), Of =:= Label],
    case binary:at(Code, Place) of
        ?TIMEOUT when Ends =:= [] ->
            Patch#patch{waits = Waits#{At => look}};
        ?TIMEOUT ->
            Again = maps:from_keys(Ends, {again, New}),
            Patch#patch{label_count = New + 1, waits = maps:merge(Waits#{At => {look, New}}, Again)};
        ?WAIT_TIMEOUT ->
            {Time, Next} = time(Code, Place + 1),
            Timeout = after_lines(Code, Next),
            ?TIMEOUT = binary:at(Code, Timeout),
            Up = New + 1,
            Own = #{At => {await, Time, New, Up}, Place + 1 => {again, Time, New}, Timeout + 1 => {up, New, Up}},
            Again = maps:from_keys(Ends, {again, New}),
            Patch#patch{label_count = New + 2, waits = maps:merge(maps:merge(Waits, Own), Again)};
        ?WAIT ->
            Patch
    end.

%% The time of a wait, as it is coded, and the place behind it.
time(Code, At) ->
    Time = skip_term(Code, At),
    Next = skip_term(Code, Time),
    {binary:part(Code, Time, Next - Time), Next}.

after_lines(Code, At) ->
    case binary:at(Code, At) of
        ?LINE_OF -> after_lines(Code, skip_term(Code, At + 1));
        _ -> At
    end.

applied(Arity, Patch) ->
    with_import('apply', Arity, Patch).

%% The number of terms that follow each operation.
operations() ->
    case persistent_term:get(?OPERATIONS, none) of
        none ->
            Operations = list_to_tuple([terms_of(Operation) || Operation <- lists:seq(1, 255)]),
            persistent_term:put(?OPERATIONS, Operations),
            Operations;
        Operations ->
            Operations
    end.

terms_of(Operation) ->
    try element(2, beam_opcodes:opname(Operation))
    catch error:_ -> unknown
    end.

skip_terms(0, _, At) -> At;
skip_terms(Count, Code, At) -> skip_terms(Count - 1, Code, skip_term(Code, At)).

%% A term begins with a byte whose lowest three bits are its tag; 7 is for those that are more than a number.
skip_term(Code, At) ->
    case binary:at(Code, At) of
        Byte when Byte band 7 =/= 7 -> skip_number(Byte, Code, At);
        2#00010111 -> {Size, Next} = unsigned(Code, At + 1), skip_terms(Size, Code, Next);
        2#00100111 -> skip_term(Code, At + 1);
        2#00110111 -> {Size, Next} = unsigned(Code, At + 1), skip_terms(2 * Size, Code, Next);
        2#01000111 -> skip_term(Code, At + 1);
        2#01010111 -> skip_terms(2, Code, At + 1)
    end.

skip_number(Byte, _, At) when Byte band 8 =:= 0 -> At + 1;
skip_number(Byte, _, At) when Byte band 16 =:= 0 -> At + 2;
skip_number(Byte, _, At) when Byte bsr 5 < 7 -> At + 1 + (Byte bsr 5) + 2;
skip_number(_, Code, At) ->
    {Size, Next} = unsigned(Code, At + 1),
    Next + Size + 9.

unsigned(Code, At) ->
    case binary:at(Code, At) of
        Byte when Byte band 8 =:= 0 -> {Byte bsr 4, At + 1};
        Byte when Byte band 16 =:= 0 -> {((Byte bsr 5) bsl 8) bor binary:at(Code, At + 1), At + 2};
        Byte when Byte bsr 5 < 7 ->
            Size = (Byte bsr 5) + 2,
            {binary:decode_unsigned(binary:part(Code, At + 1, Size)), At + 1 + Size}
    end.

coded(Number) ->
    coded(0, Number).

coded(Tag, Number) when Number < 16 -> Number bsl 4 bor Tag;
coded(Tag, Number) when Number < 16#800 -> [((Number bsr 8) bsl 5) bor 8 bor Tag, Number band 255];
coded(Tag, Number) ->
    Bytes = unsigned_bytes(Number),
    [((byte_size(Bytes) - 2) bsl 5) bor 24 bor Tag, Bytes].

%% The highest bit is a sign.
unsigned_bytes(Number) ->
    case binary:encode_unsigned(Number) of
        <<1:1, _/bitstring>> = Bytes -> <<0, Bytes/binary>>;
        Bytes -> Bytes
    end.

%% Funs of watched functions among the literals become those of the doors.
literals(false, _) -> same;
literals({_, <<0:32, Plain/binary>>}, Watched) -> literals_of(Plain, Watched);
literals({_, <<_:32, Packed/binary>>}, Watched) -> literals_of(zlib:uncompress(Packed), Watched).

literals_of(<<Count:32, Literals/binary>> = All, Watched) ->
    New = << <<(literal(Etf, Watched))/binary>> || <<Size:32, Etf:Size/binary>> <= Literals >>,
    case <<Count:32, New/binary>> of
        All -> same;
        Changed -> [<<(byte_size(Changed)):32>>, zlib:compress(Changed)]
    end.

literal(Etf, Watched) ->
    New = case binary:match(Etf, <<113>>) of
              nomatch -> Etf;
              _ -> rewritten(Etf, binary_to_term(Etf), Watched)
          end,
    <<(byte_size(New)):32, New/binary>>.

rewritten(Etf, Term, Watched) ->
    case behind_doors(Term, Watched) of
        Term -> Etf;
        New -> term_to_binary(New)
    end.

behind_doors([Head | Tail], Watched) -> [behind_doors(Head, Watched) | behind_doors(Tail, Watched)];
behind_doors(Tuple, Watched) when is_tuple(Tuple) -> list_to_tuple(behind_doors(tuple_to_list(Tuple), Watched));
behind_doors(Map, Watched) when is_map(Map) -> maps:from_list(behind_doors(maps:to_list(Map), Watched));
behind_doors(Fun, Watched) when is_function(Fun) ->
    [{_, Module}, {_, Name}, {_, Arity}] = [erlang:fun_info(Fun, Item) || Item <- [module, name, arity]],
    case Watched(Module, Name, Arity) of
        true -> erlang:make_fun(door(Module), Name, Arity);
        false -> Fun
    end;
behind_doors(Other, _) -> Other.
