#!/usr/bin/env escript
%% Writes the extracted form of a module (name, .beam or .erl file) to standard output, as external term format.
main([What | Options]) ->
    Here = filename:dirname(escript:script_name()),
    Files = filelib:wildcard(filename:join(Here, "hound_*.erl")),
    [begin {ok, M, B} = compile:file(F, [binary, report]), code:load_binary(M, F, B) end || F <- Files],
    {ok, Beam} = case filename:extension(What) of
                     ".beam" -> file:read_file(What);
                     ".erl" -> {ok, _, B1, _} = hound_compile:erl(What, []), {ok, B1};
                     _ -> file:read_file(beam_of(list_to_atom(What)))
                 end,
    {ok, Extracted} = hound_extract:beam(Beam, [list_to_atom(O) || O <- Options]),
    io:setopts([{encoding, latin1}]),
    ok = file:write(standard_io, term_to_binary(Extracted)).

beam_of(Module) ->
    {ok, Path} = hound_locate:module(Module),
    Path.
