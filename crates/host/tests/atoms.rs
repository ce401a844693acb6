//! The table of atoms of compiled modules, in both of its forms.

use std::path::Path;
use std::process::Command;

/// Atoms of every size of a name are read, added and renamed in both forms; modules of the installed release are read as
/// the VM reads them; what is damaged is an error.
const CHECK: &str = r#"
    Small = [list_to_atom(lists:duplicate(N, $a)) || N <- lists:seq(1, 255)] ++ ['', 'ünïcode', 'жук'],
    Wide = [list_to_atom(lists:duplicate(N, 16#1F600)) || N <- [1, 3, 4, 63, 64, 255]],
    Code = fun(S) when S < 16 -> <<(S bsl 4)>>; (S) -> <<(((S bsr 8) bsl 5) bor 8), (S band 255)>> end,
    Names = fun(Form, Atoms) ->
        << <<(case Form of bytes -> <<(byte_size(B))>>; numbers -> Code(byte_size(B)) end)/binary, B/binary>>
           || A <- Atoms, B <- [atom_to_binary(A)] >>
    end,
    Chunk = fun(bytes, As) -> [{"AtU8", <<(length(As)):32, (Names(bytes, As))/binary>>}];
               (numbers, As) -> [{"AtU8", <<(-length(As)):32, (Names(numbers, As))/binary>>}]
            end,
    Flat = fun({Id, Data}) -> [{Id, iolist_to_binary(Data)}] end,
    Check = fun(Form, Atoms) ->
        {Table, Count} = hound_atoms:read(Chunk(Form, Atoms)),
        Count = length(Atoms),
        Atoms = tuple_to_list(hound_atoms:atoms(Table)),
        Chunks = Chunk(Form, Atoms ++ [one, two]),
        Chunks = Flat(hound_atoms:add([one, two], Table)),
        Renamed = Chunk(Form, [other | tl(Atoms)]),
        Renamed = Flat(hound_atoms:rename(other, Table))
    end,
    Check(bytes, Small),
    Check(numbers, Small ++ Wide),
    [begin
         {ok, _, All} = beam_lib:all_chunks(code:which(M)),
         {ok, {M, [{atoms, Known}]}} = beam_lib:chunks(code:which(M), [atoms]),
         {Table, _} = hound_atoms:read(All),
         {M, true} = {M, [A || {_, A} <- lists:sort(Known)] =:= tuple_to_list(hound_atoms:atoms(Table))}
     end || M <- [lists, string, unicode_util, erl_parse, gen_server]],
    [{'EXIT', _} = (catch hound_atoms:atoms(element(1, hound_atoms:read([{"AtU8", Bad}]))))
     || Bad <- [<<1:32, 5, "abc">>, <<-1:32, (5 bsl 4), "abc">>, <<-1:32, 8>>, <<-1:32, 255, 0, 0>>]],
    halt().
"#;

#[test]
fn both_forms_are_read_and_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("erl/hound_atoms.erl");
    let compiled = Command::new("erlc").arg(source).current_dir(folder).status().expect("erlc starts");
    assert!(compiled.success());
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-boot", "start_clean", "-pa"]).arg(folder).args(["-eval", CHECK]);
    let output = erl.output().expect("erl starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&[output.stdout, output.stderr].concat()));
}
