%% Regular expressions of the VM: texts that match, and what they capture.
%! pair/1 crash error:bug@pair
%! captured/1 crash error:bug@captured
%! numbers/1 crash error:bug@numbers
%! compiled/1 crash error:bug@compiled
%! named/1 crash error:bug@named
%! choice/1 crash error:bug@choice
%! repeated/1 crash error:bug@repeated
%! twice/1 crash error:bug@twice
%! dated/1 crash error:bug@dated
%! refused/1 crash error:bug@refused
%! behind/2 crash error:bug@behind
%! caseless/1 crash error:bug@caseless
%! spread/1 crash error:bug@spread
%! address/1 crash error:bug@address
%! first/1 crash error:bug@first
%! hex/1 crash error:bug@hex
%! version/1 crash error:bug@version
%! foreign/1 crash error:badarg@foreign
%! unmatched/1 safe_or_incomplete
-module(regexps).
-export([pair/1, captured/1, numbers/1, compiled/1, named/1, choice/1, repeated/1, twice/1, dated/1, refused/1]).
-export([behind/2, caseless/1, spread/1, address/1, first/1, hex/1, version/1, foreign/1, unmatched/1]).

-spec pair([byte()]) -> ok.
pair(Text) ->
    case re:run(Text, "^[a-z]+=[0-9]+$") of
        {match, _} -> error(bug); %@pair
        nomatch -> ok
    end.

-spec captured([byte()]) -> ok.
captured(Text) ->
    case re:run(Text, "^([a-z]+)=([0-9]+)$", [{capture, all_but_first, list}]) of
        {match, [Key, "42"]} when length(Key) > 2 -> error(bug); %@captured
        _ -> ok
    end.

-spec numbers(binary()) -> ok.
numbers(Text) ->
    case re:run(Text, <<"(\\d{3})-(\\d{4})">>, [{capture, [1, 2], binary}]) of
        {match, [A, B]} ->
            case binary_to_integer(A) * 2 > binary_to_integer(B) of
                true -> error(bug); %@numbers
                false -> ok
            end;
        nomatch -> ok
    end.

-spec compiled(binary()) -> ok.
compiled(Text) ->
    {ok, Pattern} = re:compile("^id:\\s*\\w{4}$"),
    case re:run(Text, Pattern, [{capture, none}]) of
        match -> error(bug); %@compiled
        nomatch -> ok
    end.

-spec named(binary()) -> ok.
named(Text) ->
    case re:run(Text, "(?<user>\\w+)@(?<host>[a-z.]+)", [{capture, [host, user], binary}]) of
        {match, [<<"localhost">>, User]} when byte_size(User) > 0 -> error(bug); %@named
        _ -> ok
    end.

-spec choice([byte()]) -> ok.
choice(Text) ->
    case re:run(Text, "^(GET|PUT|DELETE) /[a-z]*$", [{capture, [1], list}]) of
        {match, ["DELETE"]} -> error(bug); %@choice
        _ -> ok
    end.

-spec repeated([byte()]) -> ok.
repeated(Text) ->
    case re:run(Text, "^(?:ab|cd){3}x?$", [{capture, none}]) of
        match when length(Text) =:= 7 -> error(bug); %@repeated
        _ -> ok
    end.

%% The same word twice.
-spec twice([byte()]) -> ok.
twice(Text) ->
    case re:run(Text, "^(\\w{2,})-\\1$", [{capture, first}]) of
        {match, _} -> error(bug); %@twice
        nomatch -> ok
    end.

-spec dated(binary()) -> ok.
dated(Text) ->
    case re:run(Text, "^(\\d{4})-(\\d\\d)-(\\d\\d)$", [{capture, all_but_first, binary}]) of
        {match, [<<"2024">>, <<"02">>, <<"29">>]} -> error(bug); %@dated
        _ -> ok
    end.

%% What must not match.
-spec refused([$a..$z]) -> ok.
refused(Text) ->
    case re:run(Text, "^[a-m]*$") of
        nomatch -> error(bug); %@refused
        _ -> ok
    end.

%% Part of a text is given.
-spec behind([byte()], integer()) -> ok.
behind(Text, N) ->
    case re:run("key=" ++ Text, "^key=[0-9a-f]{4};$") of
        {match, _} when N > 3 -> error(bug); %@behind
        _ -> ok
    end.

-spec caseless([byte()]) -> ok.
caseless(Text) ->
    case re:run(Text, "^hello (world|moon)!$", [caseless]) of
        {match, [_, {6, 4}]} -> error(bug); %@caseless
        _ -> ok
    end.

-spec spread([byte()]) -> ok.
spread(Text) ->
    Pattern = "^ [xy]  # a letter\n  \\d+ # and a number\n $",
    case re:run(Text, Pattern, [extended, {capture, none}]) of
        match -> error(bug); %@spread
        nomatch -> ok
    end.

-spec address(binary()) -> ok.
address(Text) ->
    case re:run(Text, "^(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})$", [{capture, all_but_first, binary}]) of
        {match, Parts} ->
            case [binary_to_integer(Part) || Part <- Parts] of
                [127 | _] -> error(bug); %@address
                _ -> ok
            end;
        nomatch -> ok
    end.

%% Where a match begins.
-spec first([byte()]) -> ok.
first(Text) ->
    case re:run(Text, "[0-9]") of
        {match, [{At, 1}]} when At > 0 -> error(bug); %@first
        _ -> ok
    end.

-spec hex([byte()]) -> ok.
hex(Text) ->
    case re:run(Text, "^0x([[:xdigit:]]{2,8})$", [{capture, all_but_first, list}]) of
        {match, [Digits]} ->
            case list_to_integer(Digits, 16) of
                N when N > 200 -> error(bug); %@hex
                _ -> ok
            end;
        nomatch -> ok
    end.

-spec version([byte()]) -> ok.
version(Text) ->
    case re:run(Text, "^v?(\\d+)\\.(\\d+)(?:-(rc|beta)\\d)?$", [{capture, all_but_first, list}]) of
        {match, [_, _, "beta"]} -> error(bug); %@version
        _ -> ok
    end.

%% Without the option `unicode` only bytes will do.
-spec foreign(string()) -> boolean().
foreign(Text) -> re:run(Text, "^[a-z]*$", [{capture, none}]) =:= match. %@foreign

-spec unmatched([byte()]) -> ok.
unmatched(Text) ->
    case catch re:run(Text, "^a+$", [{capture, none}]) of
        match when Text =:= "b" -> error(bug);
        _ -> ok
    end.
