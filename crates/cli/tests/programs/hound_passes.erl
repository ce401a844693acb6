%% A large program to run: the passes of OTP's compiler, from a module's forms to its assembly, scanner and printers.
-module(hound_passes).
-export([forms/1, passes/1]).

%% Only for the real VM: reads a file.
forms(Module) ->
    {ok, {_, [{abstract_code, {_, Forms}}]}} = beam_lib:chunks(code:which(Module), [abstract_code]),
    Forms.

%% What every pass gives, as a hash each.
passes(Forms) ->
    Expanded = erl_expand_records:module(Forms, []),
    {ok, Core, _} = v3_core:module(Expanded, []),
    {ok, Folded, _} = sys_core_fold:module(Core, []),
    {ok, Kernel, _} = v3_kernel:module(Folded, []),
    {ok, Ssa} = beam_kernel_to_ssa:module(Kernel, []),
    {ok, Optimised} = beam_ssa_opt:module(Ssa, []),
    {ok, Allocated} = beam_ssa_pre_codegen:module(Optimised, []),
    {ok, Assembly} = beam_ssa_codegen:module(Allocated, []),
    Results = [{lint, erl_lint:module(Forms)}, {expand, Expanded}, {core, Core}, {fold, Folded}, {kernel, Kernel},
               {ssa, Ssa}, {opt, Optimised}, {allocate, Allocated}, {assembly, Assembly},
               {lint_core, core_lint:module(Core)}, {inline, sys_core_inline:module(Core, [inline])},
               {bindings, erl_syntax_lib:annotate_bindings(erl_syntax:form_list(Forms), ordsets:new())},
               {syntax, erl_prettypr:format(erl_syntax:form_list(Forms))},
               {tokens, erl_scan:string(lists:flatten([erl_pp:form(Form) || Form <- Forms]), {1, 1}, [return, text])},
               {external, erlang:md5(term_to_binary(Forms, [{compressed, 6}]))},
               {pretty_terms, iolist_to_binary(io_lib:format("~p~80p~w~P", [Forms, Forms, Forms, Forms, 30]))},
               {pretty_forms, unicode:characters_to_binary([erl_pp:form(Form) || Form <- Forms])},
               {pretty_core, unicode:characters_to_binary(core_pp:format(Folded))}],
    [{Pass, erlang:phash2(Result, 1 bsl 32)} || {Pass, Result} <- Results].
