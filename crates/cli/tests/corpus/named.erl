%% Atoms as names: dispatchers, prefixes, atoms made of text and text made of atoms.
%? text
%! getter/1 crash error:bug@getter complete
%! command/1 crash error:bug@command error:badarg@existing
%! made/1 crash error:bug@made error:badarg@text error:system_limit@text complete
%! shout/1 crash error:bug@shout
%! field/2 crash error:bug@field
%! tagged/1 crash error:bug@tagged
%! between/2 crash error:bug@between complete
%! handler/1 crash error:bug@handler error:system_limit@longer complete
%! joined/2 crash error:bug@joined error:system_limit@longest complete
%! plural/1 crash error:bug@plural
%! round_trip/1 safe complete
%! never/1 safe complete
%! short/1 safe complete
%! not_both/1 safe complete
%! names_differ/2 safe complete
%! latin/1 crash error:badarg@latin error:bug@long
-module(named).
-export([getter/1, command/1, made/1, shout/1, field/2, tagged/1, between/2, handler/1, joined/2, plural/1]).
-export([round_trip/1, never/1, short/1, not_both/1, names_differ/2, latin/1]).

%% Accessors by their prefix.
-spec getter(atom()) -> {get | set, string()} | none.
getter(Name) ->
    case atom_to_list(Name) of
        "get_" ++ [W, $i | _] when W > $v -> error(bug); %@getter
        "get_" ++ Field -> {get, Field};
        "set_" ++ Field -> {set, Field};
        _ -> none
    end.

%% A command line whose first word must be an atom that exists.
-spec command(string()) -> ok | {error, term()}.
command(Word) ->
    case list_to_existing_atom(Word) of %@existing
        start -> ok;
        stop -> error(bug); %@command
        Other -> {error, Other}
    end.

-spec made(string()) -> boolean().
made(Text) ->
    case list_to_atom(Text) of %@text
        'hello world' -> error(bug); %@made
        Atom -> Atom > m
    end.

%% Upper case names, as macros have them.
-spec shout(atom()) -> string().
shout(Name) ->
    case string:uppercase(atom_to_list(Name)) of
        "MAX" -> error(bug); %@shout
        Text -> Text
    end.

%% A field of a record by the name of its accessor.
-spec field(atom(), {integer(), integer()}) -> integer().
field(Accessor, {X, Y}) ->
    case atom_to_binary(Accessor) of
        <<"x">> -> X;
        <<"y">> when Y > X, X > 100 -> error(bug); %@field
        <<"y">> -> Y;
        _ -> 0
    end.

%% Names that carry a number: node_12.
-spec tagged(atom()) -> integer() | none.
tagged(Name) ->
    case atom_to_list(Name) of
        "n_" ++ Digits ->
            try list_to_integer(Digits) of
                17 -> error(bug); %@tagged
                Number -> Number
            catch
                error:badarg -> none
            end;
        _ -> none
    end.

%% Atoms are ordered by their names.
-spec between(atom(), atom()) -> ok | no.
between(A, B) when A < B, B < abc, A > abb -> error(bug); %@between
between(_, _) -> no.

%% Calls a handler that is named after the event.
-spec handler(atom()) -> term().
handler(Event) ->
    case list_to_atom("on_" ++ atom_to_list(Event)) of %@longer
        on_exit -> error(bug); %@handler
        Handler -> Handler
    end.

-spec joined(atom(), atom()) -> atom().
joined(A, B) ->
    case list_to_atom(atom_to_list(A) ++ "." ++ atom_to_list(B)) of %@longest
        'a.b' when A =/= a -> impossible;
        'io.x' -> error(bug); %@joined
        Both -> Both
    end.

%% From its end.
-spec plural(atom()) -> boolean().
plural(Name) ->
    case lists:reverse(atom_to_list(Name)) of
        "sei" ++ [C | _] when C =:= $t -> error(bug); %@plural
        "s" ++ _ -> true;
        _ -> false
    end.

-spec round_trip(atom()) -> atom().
round_trip(Name) ->
    case list_to_atom(atom_to_list(Name)) of
        Name -> Name;
        _ -> error(unreachable)
    end.

-spec never(atom()) -> ok.
never(Name) ->
    case atom_to_list(Name) of
        "ab" ++ _ when Name > b -> error(unreachable);
        _ -> ok
    end.

-spec short(atom()) -> ok.
short(Name) ->
    case length(atom_to_list(Name)) of
        Length when Length > 255 -> error(unreachable);
        _ -> ok
    end.

-spec not_both(atom()) -> ok.
not_both(Name) ->
    case {Name, atom_to_list(Name)} of
        {yes, [$n | _]} -> error(unreachable);
        _ -> ok
    end.

-spec names_differ(atom(), atom()) -> ok.
names_differ(A, B) when A =/= B ->
    case atom_to_list(A) =:= atom_to_list(B) of
        true -> error(unreachable);
        false -> ok
    end;
names_differ(_, _) -> ok.

%% A name that does not fit into bytes.
-spec latin(atom()) -> binary().
latin(Name) ->
    case atom_to_binary(Name, latin1) of %@latin
        <<_, _, _/binary>> = Text when binary_part(Text, 0, 2) =:= <<"ok">> -> error(bug); %@long
        Text -> Text
    end.
