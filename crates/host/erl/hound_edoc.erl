%% Specs that stand in comments: `%% @spec f(integer()) -> ok`, as EDoc reads them. They become an attribute of the module.
-module(hound_edoc).
-export([added/2]).

%% An extracted module with the specs in the comments of its source.
-spec added({ok, map()} | {error, term()}, file:filename()) -> {ok, map()} | {error, term()}.
added({ok, #{core := Core} = Extracted}, Path) ->
    case specs(Path) of
        [] -> {ok, Extracted};
        Specs ->
            {c_module, Anno, Name, Exports, Attributes, Definitions} = Core,
            Added = {{c_literal, [], hound_edoc_spec}, {c_literal, [], Specs}},
            {ok, Extracted#{core := {c_module, Anno, Name, Exports, Attributes ++ [Added], Definitions}}}
    end;
added(Error, _) ->
    Error.

specs(Path) ->
    {ok, Text} = file:read_file(Path),
    case binary:match(Text, <<"@spec">>) of
        nomatch -> [];
        _ ->
            case erl_scan:string(characters(Text), {1, 1}, [return_comments]) of
                {ok, Tokens, _} -> in_tokens(Tokens, [], []);
                {error, _, _} -> []
            end
    end.

characters(Text) ->
    case unicode:characters_to_list(Text) of
        Characters when is_list(Characters) -> Characters;
        _ -> binary_to_list(Text)
    end.

%% Comments that follow each other belong together, and to the function after them. The newest comes first.
in_tokens([{comment, _, Comment} | Tokens], Block, Found) ->
    in_tokens(Tokens, [string:trim(Comment, leading, "% ") | Block], Found);
in_tokens([Token | Tokens], [_ | _] = Block, Found) ->
    in_tokens(Tokens, [], in_block(lists:reverse(Block), Token) ++ Found);
in_tokens([_ | Tokens], [], Found) ->
    in_tokens(Tokens, [], Found);
in_tokens([], _, Found) ->
    lists:reverse(Found).

%% The text of the tag, up to the next tag.
in_block(["@spec" ++ First | Rest], Token) ->
    Text = lists:join($\n, [First | lists:takewhile(fun(Line) -> not is_tag(Line) end, Rest)]),
    parsed(string:trim(lists:flatten(Text)), Token);
in_block([_ | Rest], Token) ->
    in_block(Rest, Token);
in_block([], _) ->
    [].

is_tag("@" ++ _) -> true;
is_tag(_) -> false.

parsed("(" ++ _ = Text, {atom, _, Name}) -> parsed(atom_to_list(Name) ++ Text);
parsed(Text, _) -> parsed(Text).

%% What cannot be read is no spec.
parsed(Text) ->
    case erl_scan:string("-spec " ++ string:trim(Text, trailing, ". \n") ++ " .") of
        {ok, Tokens, _} ->
            case erl_parse:parse_form(constrained(Tokens)) of
                {ok, {attribute, _, spec, {{_, _}, _} = Spec}} -> [Spec];
                _ -> []
            end;
        {error, _, _} -> []
    end.

%% `where X = t()` is `when X :: t()`.
constrained([{atom, Anno, where} | Tokens]) -> [{'when', Anno} | definitions(Tokens, none)];
constrained([{atom, Anno, bool}, {'(', _} = Open | Tokens]) -> [{atom, Anno, boolean}, Open | constrained(Tokens)];
constrained([Token | Tokens]) -> [Token | constrained(Tokens)];
constrained([]) -> [].

%% The commas between them may be left out.
definitions([{var, Anno, _} = Var, {'=', Equal} | Tokens], Before) ->
    [{',', Anno} || Before =/= none, Before =/= ','] ++ [Var, {'::', Equal} | definitions(Tokens, '::')];
definitions([{atom, Anno, bool}, {'(', _} = Open | Tokens], _) ->
    [{atom, Anno, boolean}, Open | definitions(Tokens, '(')];
definitions([Token | Tokens], _) ->
    [Token | definitions(Tokens, element(1, Token))];
definitions([], _) ->
    [].
