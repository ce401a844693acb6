%% Structures that are nested deeply.
%! brackets/1 crash error:too_deep@brackets
%! brackets_ok/1 safe_or_incomplete
%! markup/1 crash error:badarith@markup
%! json/1 crash error:badmatch@json
%! depth/1 crash error:limit@depth
%! expression/1 crash error:badmatch@expression
%! folders/1 crash error:enametoolong@folders
%! quotes/1 crash error:badmatch@quotes
%! spine/1 crash error:case_clause@spine
%! lists/1 crash error:badmatch@lists
%! scopes/1 crash error:badarg@scopes
-module(nesting).
-export([brackets/1, brackets_ok/1, markup/1, json/1, depth/1, expression/1, folders/1, quotes/1, spine/1, lists/1,
         scopes/1]).

%% Brackets in a text, at most 19 deep.
-spec brackets(binary()) -> ok | unbalanced.
brackets(Text) -> brackets(Text, 0).

brackets(<<>>, 0) -> ok;
brackets(<<>>, _) -> unbalanced;
brackets(<<$(, Rest/binary>>, N) when N < 19 -> brackets(Rest, N + 1);
brackets(<<$(, _/binary>>, _) -> error(too_deep); %@brackets
brackets(<<$), _/binary>>, 0) -> unbalanced;
brackets(<<$), Rest/binary>>, N) -> brackets(Rest, N - 1);
brackets(<<_, Rest/binary>>, N) -> brackets(Rest, N).

-spec brackets_ok(binary()) -> non_neg_integer().
brackets_ok(Text) -> brackets_ok(Text, 0, 0).

brackets_ok(<<>>, _, Most) -> Most;
brackets_ok(<<$(, Rest/binary>>, N, Most) -> brackets_ok(Rest, N + 1, max(N + 1, Most));
brackets_ok(<<$), Rest/binary>>, N, Most) -> brackets_ok(Rest, max(N - 1, 0), Most);
brackets_ok(<<_, Rest/binary>>, N, Most) -> brackets_ok(Rest, N, Most).

%% Elements inside elements; the size of the font shrinks to nothing.
-type tag() :: {text, binary()} | {element, b | i | small, [tag()]}.
-spec markup(tag()) -> [integer()].
markup(Node) -> markup(Node, 24).

markup({text, Text}, Size) -> [1000 div Size + byte_size(Text)]; %@markup
markup({element, small, Nodes}, Size) -> lists:flatmap(fun(Node) -> markup(Node, Size - 1) end, Nodes);
markup({element, _, Nodes}, Size) -> lists:flatmap(fun(Node) -> markup(Node, Size) end, Nodes).

%% Arrays of a text, read with a stack that has room for 64.
-spec json(string()) -> {ok, term()} | error.
json(Text) -> value(Text, []).

value([$[ | Rest], Stack) ->
    true = length(Stack) < 64, %@json
    value(Rest, [array | Stack]);
value([$] | Rest], [array | Stack]) -> value(Rest, Stack);
value([$0 | Rest], Stack) -> value(Rest, Stack);
value([], []) -> {ok, done};
value(_, _) -> error.

%% The height of a tree.
-type tree() :: leaf | {tree(), integer(), tree()}.
-spec depth(tree()) -> non_neg_integer().
depth(leaf) -> 0;
depth({L, _, R}) ->
    case 1 + max(depth(L), depth(R)) of
        N when N > 64 -> error(limit); %@depth
        N -> N
    end.

%% Registers for the parts of an expression: there are sixteen.
-type expr() :: {num, integer()} | {add, expr(), expr()} | {neg, expr()}.
-spec expression(expr()) -> [tuple()].
expression(Expr) -> compile(Expr, 0).

compile({num, N}, R) ->
    <<R:4>> = <<R:4>>, %@expression
    [{load, R, N}];
compile({neg, E}, R) -> compile(E, R);
compile({add, A, B}, R) -> compile(A, R) ++ compile(B, R + 1) ++ [{add, R}].

%% A tree of folders to paths; a path has at most 255 characters.
-spec folders([{file, atom()} | {folder, atom(), list()}]) -> [string()].
folders(Entries) -> folders(Entries, "").

folders(Entries, Above) -> lists:flatmap(fun(Entry) -> entry(Entry, Above) end, Entries).

entry({file, Name}, Above) -> [path(Above, Name)];
entry({folder, Name, Entries}, Above) -> folders(Entries, path(Above, Name));
entry(_, _) -> [].

path(Above, Name) ->
    case Above ++ "/" ++ atom_to_list(Name) of
        Path when length(Path) > 255 -> error(enametoolong); %@folders
        Path -> Path
    end.

%% The depth of quotation of a mail.
-spec quotes([char()]) -> non_neg_integer().
quotes([$> | Text]) ->
    N = quotes(Text) + 1,
    true = N < 33, %@quotes
    N;
quotes([$\s | Text]) -> quotes(Text);
quotes(_) -> 0.

%% A zipper that keeps its way down in a word of 24 bits.
-type bin() :: nil | {bin(), bin()}.
-spec spine(bin()) -> non_neg_integer().
spine(Tree) -> spine(Tree, 1).

spine(nil, Way) -> Way;
spine({nil, Right}, Way) -> spine(Right, shift(Way, 1));
spine({Left, _}, Way) -> spine(Left, shift(Way, 0)).

shift(Way, Bit) ->
    case (Way bsl 1) bor Bit of %@spine
        New when New < 1 bsl 24 -> New
    end.

%% Lists in lists.
-type deep() :: integer() | [deep()].
-spec lists(deep()) -> integer().
lists(Deep) -> lists(Deep, 1).

lists(N, Depth) when is_integer(N) -> N * Depth;
lists(Items, Depth) ->
    true = Depth =< 30, %@lists
    lists:sum([lists(Item, Depth + 1) || Item <- Items]).

%% Blocks of a program: a scope for each, in a tuple of 48.
-spec scopes([open | close | {bind, atom()}]) -> non_neg_integer().
scopes(Tokens) -> scopes(Tokens, 1, erlang:make_tuple(48, [])).

scopes([], Level, _) -> Level;
scopes([open | Tokens], Level, Scopes) -> scopes(Tokens, Level + 1, Scopes);
scopes([close | Tokens], 1, Scopes) -> scopes(Tokens, 1, Scopes);
scopes([close | Tokens], Level, Scopes) -> scopes(Tokens, Level - 1, setelement(min(Level, 48), Scopes, []));
scopes([{bind, Name} | Tokens], Level, Scopes) ->
    scopes(Tokens, Level, setelement(Level, Scopes, [Name | element(Level, Scopes)])). %@scopes
