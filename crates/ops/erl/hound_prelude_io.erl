%% Output, in Erlang: what a symbolic run explores in its place. A text that is written goes nowhere in the program, so
%% that only those of its parts are looked at on which success depends.
-module(hound_prelude_io).

-export([format/1, format/2, format/3, fwrite/1, fwrite/2, fwrite/3, put_chars/1, put_chars/2, write/1, write/2, nl/1]).

format(Format) ->
    formatted(Format, []),
    io:format(Format).

format(Format, Args) ->
    formatted(Format, Args),
    io:format(Format, Args).

format(Device, Format, Args) ->
    device({io, format, 3}, Device),
    formatted(Format, Args),
    io:format(Device, Format, Args).

fwrite(Format) ->
    formatted(Format, []),
    io:fwrite(Format).

fwrite(Format, Args) ->
    formatted(Format, Args),
    io:fwrite(Format, Args).

fwrite(Device, Format, Args) ->
    device({io, fwrite, 3}, Device),
    formatted(Format, Args),
    io:fwrite(Device, Format, Args).

put_chars(Text) ->
    encoded(Text),
    io:put_chars(Text).

put_chars(Device, Text) ->
    device({io, put_chars, 2}, Device),
    encoded(Text),
    io:put_chars(Device, Text).

%% Every term can be written.
write(Term) -> io:write(Term).

write(Device, Term) ->
    device({io, write, 2}, Device),
    io:write(Device, Term).

nl(Device) ->
    device({io, nl, 1}, Device),
    io:nl(Device).

%% Which other devices there are is not for inputs to decide.
device(Function, Device) ->
    case Device of
        standard_io -> standard_io;
        _ -> hound_prelude:foreign(Function, Device)
    end.

%% That it fails is all that matters here, not how: the caller writes the text next.
formatted(Format, Args) ->
    try encoded(io_lib:build_text([blank(Part) || Part <- io_lib:scan_format(Format, Args)]))
    catch _:_ -> failed
    end.

encoded(Text) ->
    try hound_prelude_unicode:characters_to_binary(Text, unicode)
    catch _:_ -> failed
    end.

%% Whatever is printed as a term, another would do as well.
blank(#{control_char := C, args := [_]} = Part) when C =:= $w; C =:= $p; C =:= $i -> Part#{args := [[]]};
blank(#{control_char := C, args := [_, Depth]} = Part) when C =:= $W; C =:= $P -> Part#{args := [[], Depth]};
blank(Part) -> Part.
