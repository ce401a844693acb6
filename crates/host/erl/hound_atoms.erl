%% The table of atoms of a compiled module, in both of its forms: the size of a name is a byte; since OTP 28 the count is
%% negative, and sizes are numbers as they stand in code.
-module(hound_atoms).
-export([read/1, atoms/1, add/2, rename/2]).

-export_type([table/0]).

%% The form, the number of atoms, and their names as the chunk has them.
-opaque table() :: {bytes | numbers, non_neg_integer(), iodata()}.

-spec read([{string(), binary()}]) -> {table(), Count :: non_neg_integer()}.
read(Chunks) ->
    case lists:keyfind("AtU8", 1, Chunks) of
        {_, <<Count:32/signed, Names/binary>>} when Count < 0 -> {{numbers, -Count, Names}, -Count};
        {_, <<Count:32, Names/binary>>} -> {{bytes, Count, Names}, Count}
    end.

-spec atoms(table()) -> tuple().
atoms({Form, _, Names}) ->
    list_to_tuple([binary_to_atom(Name) || Name <- names(Form, iolist_to_binary(Names))]).

names(_, <<>>) -> [];
names(Form, Names) ->
    {Size, Rest} = size_of(Form, Names),
    <<Name:Size/binary, Others/binary>> = Rest,
    [Name | names(Form, Others)].

%% The chunk with atoms behind those that are there.
-spec add([atom()], table()) -> {string(), iodata()}.
add(Atoms, {Form, Count, Names}) ->
    chunk({Form, Count + length(Atoms), [Names | [named(Form, Atom) || Atom <- Atoms]]}).

%% The chunk with another first atom: the name of the module.
-spec rename(module(), table()) -> {string(), iodata()}.
rename(Module, {Form, Count, Names}) ->
    {Size, Rest} = size_of(Form, Names),
    <<_:Size/binary, Others/binary>> = Rest,
    chunk({Form, Count, [named(Form, Module), Others]}).

chunk({bytes, Count, Names}) -> {"AtU8", [<<Count:32>>, Names]};
chunk({numbers, Count, Names}) -> {"AtU8", [<<-Count:32>>, Names]}.

named(Form, Atom) ->
    Name = atom_to_binary(Atom),
    [size(Form, byte_size(Name)), Name].

%% No name has more than 1,020 bytes.
size(bytes, Size) -> Size;
size(numbers, Size) when Size < 16 -> Size bsl 4;
size(numbers, Size) -> <<(Size bsr 8):3, 2#01000:5, Size:8>>.

size_of(bytes, <<Size, Rest/binary>>) -> {Size, Rest};
size_of(numbers, <<Size:4, 0:4, Rest/binary>>) -> {Size, Rest};
size_of(numbers, <<High:3, 2#01000:5, Low, Rest/binary>>) -> {High bsl 8 bor Low, Rest}.
