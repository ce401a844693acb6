%% Puts a line mark before each expression whose line the VM's `cover` would count.
%%
%% A mark is the call '$hound':line(Line), evaluated for effect. Which expressions get one follows cover to the letter,
%% its oddities included, because line coverage measured with marks is compared with cover's:
%%   - every expression of a body (function clause, case/if/receive/try clause, fun, block, after) is marked, unless
%%     its line is already marked on the way to it;
%%   - `andalso` and `orelse` outside guards count as a case with one body per answer;
%%   - the template of a comprehension is a body; a qualifier is marked by a filter that stands before it;
%%   - when an expression needs no mark only because a branch of the expression before it has that mark, the other
%%     branches get it too.
%% Functions that come from an included file are left alone.
-module(hound_marks).
-export([forms/1]).

%% lines: the lines marked so far on the way here (a bag: how often a line occurs matters to cover's rules).
%% quiet: lines of body expressions that were left without a mark.
-record(st, {lines = [], quiet = [], delta = 0}).

%% The forms with marks, and the sorted list of marked lines.
-spec forms([erl_parse:abstract_form()]) -> {[erl_parse:abstract_form()], [non_neg_integer()]}.
forms(Forms) ->
    Main = main_file(Forms),
    {Marked, _} = lists:mapfoldl(fun(Form, At) -> form(Form, Main, At) end, {on, 0}, Forms),
    {Settled, {_, Lines}} = lists:mapfoldl(fun settle_form/2, {0, #{}}, Marked),
    {Settled, lists:sort(maps:keys(Lines))}.

main_file(Forms) ->
    case [File || {attribute, Anno, file, {File, _}} <- Forms, not erl_anno:generated(Anno)] of
        [File | _] -> File;
        [] -> none
    end.

%% A generated `file` attribute (one that stood in the source) shifts the line numbers that follow it; cover undoes the
%% shift, hence the delta.
form({attribute, Anno, file, {File, Line}} = Form, Main, {Switch, Delta}) ->
    case erl_anno:generated(Anno) of
        true -> {Form, {Switch, erl_anno:line(Anno) + Delta - Line}};
        false when File =:= Main -> {Form, {on, 0}};
        false -> {Form, {off, 0}}
    end;
form({function, Anno, Name, Arity, Clauses}, _Main, {on, Delta} = At) ->
    {{function, Anno, Name, Arity, [function_clause(C, Delta) || C <- Clauses]}, At};
form(Form, _Main, At) ->
    {Form, At}.

function_clause({clause, Anno, Patterns, Guards, Body}, Delta) ->
    {Marked, _} = body(Body, #st{delta = Delta}),
    {clause, Anno, Patterns, Guards, Marked}.

%%% Bodies and clauses

body(Exprs, St) ->
    body(Exprs, St, [], []).

%% Done is the marked body so far, reversed; Fresh the lines that its last expression marked.
body([Expr | Rest], St0, Done0, Fresh) ->
    Line = line(Expr, St0),
    {Marks, St1} = enter(Line, St0),
    {Marked, St2} = expr(Expr, St1),
    New = fresh(St2, St0),
    Quiet = case Marks of
                [] -> [Line | St0#st.quiet];
                [_] -> [L || L <- St2#st.quiet, not lists:member(L, New)]
            end,
    Done = spread(Done0, Quiet, Fresh),
    body(Rest, St2#st{quiet = Quiet}, [Marked | Marks ++ Done], New);
body([], St, Done, _Fresh) ->
    {lists:reverse(Done), St}.

enter(Line, #st{lines = Lines} = St) ->
    case lists:member(Line, Lines) of
        true -> {[], St};
        false -> {[{'$mark', Line}], St#st{lines = [Line | Lines]}}
    end.

fresh(#st{lines = New}, #st{lines = Old}) ->
    [Line || Line <- New, not lists:member(Line, Old)].

%% Clauses are alternatives: each starts from the same lines; afterwards all their lines count as seen.
clauses(Clauses, #st{lines = Before} = St0) ->
    {Marked, {St, After}} =
        lists:mapfoldl(fun({clause, Anno, Patterns, Guards, Body}, {St1, Lines}) ->
                               {Body1, St2} = body(Body, St1),
                               {{clause, Anno, Patterns, Guards, Body1},
                                {St2#st{lines = Before}, fresh(St2, St1) ++ Lines}}
                       end, {St0, Before}, Clauses),
    {Marked, St#st{lines = After}}.

%%% Expressions

expr({match, Anno, Left, Right}, St) -> parts(match, Anno, [Left, Right], St);
expr({maybe_match, Anno, Left, Right}, St) -> parts(maybe_match, Anno, [Left, Right], St);
expr({cons, Anno, Head, Tail}, St) -> parts(cons, Anno, [Head, Tail], St);
expr({'catch', Anno, Expr}, St) -> parts('catch', Anno, [Expr], St);
expr({remote, Anno, Module, Function}, St) -> parts(remote, Anno, [Module, Function], St);
expr({map_field_assoc, Anno, Key, Value}, St) -> parts(map_field_assoc, Anno, [Key, Value], St);
expr({map_field_exact, Anno, Key, Value}, St) -> parts(map_field_exact, Anno, [Key, Value], St);
expr({tuple, Anno, Items}, St) -> listed(tuple, Anno, [], Items, St);
expr({bin, Anno, Items}, St) -> listed(bin, Anno, [], Items, St);
expr({map, Anno, Fields}, St) -> listed(map, Anno, [], Fields, St);
expr({map, Anno, Map, Fields}, St) -> listed(map, Anno, [Map], Fields, St);
expr({call, Anno, Function, Args}, St) -> listed(call, Anno, [Function], Args, St);
expr({record, Anno, Name, Fields}, St0) ->
    {Fields1, St} = exprs(Fields, St0),
    {{record, Anno, Name, Fields1}, St};
expr({record, Anno, Record, Name, Fields}, St0) ->
    {[Record1 | Fields1], St} = exprs([Record | Fields], St0),
    {{record, Anno, Record1, Name, Fields1}, St};
expr({record_field, Anno, Field, Value}, St0) ->
    {Value1, St} = expr(Value, St0),
    {{record_field, Anno, Field, Value1}, St};
expr({bin_element, Anno, Value, Size, Type}, St0) ->
    {[Value1, Size1], St} = exprs([Value, Size], St0),
    {{bin_element, Anno, Value1, Size1, Type}, St};
expr({op, Anno, Op, Left, Right}, St) when Op =:= 'andalso'; Op =:= 'orelse' ->
    expr(switch(Op, Anno, Left, Right), St);
expr({op, Anno, Op, Left, Right}, St0) ->
    {[Left1, Right1], St} = exprs([Left, Right], St0),
    {{op, Anno, Op, Left1, Right1}, St};
expr({op, Anno, Op, Expr}, St0) ->
    {Expr1, St} = expr(Expr, St0),
    {{op, Anno, Op, Expr1}, St};
expr({lc, Anno, Template, Qualifiers}, St) -> comprehension(lc, Anno, Template, Qualifiers, St);
expr({bc, Anno, Template, Qualifiers}, St) -> comprehension(bc, Anno, Template, Qualifiers, St);
expr({block, Anno, Body}, St0) ->
    {Body1, St} = body(Body, St0),
    {{block, Anno, Body1}, St};
expr({'if', Anno, Clauses}, St0) ->
    {Clauses1, St} = clauses(Clauses, St0),
    {{'if', Anno, Clauses1}, St};
expr({'case', Anno, Expr, Clauses}, St0) ->
    {Expr1, St1} = expr(Expr, St0),
    {Clauses1, St} = clauses(Clauses, St1),
    {{'case', Anno, Expr1, Clauses1}, St};
expr({'receive', Anno, Clauses}, St0) ->
    {Clauses1, St} = clauses(Clauses, St0),
    {{'receive', Anno, Clauses1}, St};
expr({'receive', Anno, Clauses, Timeout, Body}, St0) ->
    receive_after(Anno, Clauses, Timeout, Body, St0);
expr({'try', Anno, Body, Clauses, Handlers, After}, St0) ->
    {Body1, St1} = body(Body, St0),
    {Clauses1, St2} = clauses(Clauses, St1),
    {Handlers1, St3} = clauses(Handlers, St2),
    {After1, St} = body(After, St3),
    {{'try', Anno, Body1, Clauses1, Handlers1, After1}, St};
expr({'maybe', Anno, Body}, St0) ->
    {Body1, St} = body(Body, St0),
    {{'maybe', Anno, Body1}, St};
expr({'maybe', Anno, Body, {'else', ElseAnno, Clauses}}, St0) ->
    {Body1, St1} = body(Body, St0),
    {Clauses1, St} = clauses(Clauses, St1),
    {{'maybe', Anno, Body1, {'else', ElseAnno, Clauses1}}, St};
expr({'fun', Anno, {clauses, Clauses}}, St0) ->
    {Clauses1, St} = clauses(Clauses, St0),
    {{'fun', Anno, {clauses, Clauses1}}, St};
expr({named_fun, Anno, Name, Clauses}, St0) ->
    {Clauses1, St} = clauses(Clauses, St0),
    {{named_fun, Anno, Name, Clauses1}, St};
expr(Expr, St) ->
    {Expr, St}.

exprs(Exprs, St) ->
    lists:mapfoldl(fun expr/2, St, Exprs).

parts(Tag, Anno, Parts, St0) ->
    {Parts1, St} = exprs(Parts, St0),
    {list_to_tuple([Tag, Anno | Parts1]), St}.

listed(Tag, Anno, Before, Items, St0) ->
    {Before1, St1} = exprs(Before, St0),
    {Items1, St} = exprs(Items, St1),
    {list_to_tuple([Tag, Anno | Before1 ++ [Items1]]), St}.

%% The timeout's body is one more alternative, but cover adds its lines in its own way.
receive_after(Anno, Clauses, Timeout, Body, St0) ->
    {Timeout1, St1} = expr(Timeout, St0),
    {Clauses1, St2} = clauses(Clauses, St1),
    {Body1, St3} = body(Body, St2#st{lines = St1#st.lines}),
    St = St3#st{lines = St2#st.lines ++ fresh(St3, St2)},
    {{'receive', Anno, Clauses1, Timeout1, Body1}, St}.

%% `Left andalso Right` as a case; the annotation keeps what is needed to go back to the operator, see settle/2.
switch(Op, Anno, Left, Right) ->
    A = anno(Left),
    Short = {atom, A, Op =:= 'orelse'},
    {True, False} = case Op of
                        'andalso' -> {Right, Short};
                        'orelse' -> {Short, Right}
                    end,
    Bad = {'$other', A},
    Fail = {call, A, {remote, A, {atom, A, erlang}, {atom, A, error}}, [{tuple, A, [{atom, A, badarg}, Bad]}]},
    {'case', {'$switch', Op, Anno, A}, Left,
     [{clause, A, [{atom, A, true}], [], [True]},
      {clause, A, [{atom, A, false}], [], [False]},
      {clause, erl_anno:set_generated(true, A), [Bad], [], [Fail]}]}.

%% The place where an expression counts as being: a switch is where its left operand is.
anno({op, _, Op, Left, _}) when Op =:= 'andalso'; Op =:= 'orelse' -> anno(Left);
anno({'case', {'$switch', _, _, Anno}, _, _}) -> Anno;
anno(Expr) -> element(2, Expr).

line(Expr, #st{delta = Delta}) ->
    erl_anno:line(anno(Expr)) + Delta.

%%% Comprehensions

comprehension(Tag, Anno, Template, Qualifiers, St0) ->
    {Template1, St1} = template(Template, St0),
    {Qualifiers1, St} = qualifiers(Qualifiers, St1),
    {{Tag, Anno, Template1, lists:append(Qualifiers1)}, St}.

template({block, _, _} = Block, St) -> expr(Block, St);
template(Expr, St) -> expr({block, erl_anno:new(0), [Expr]}, St).

qualifiers(Qualifiers, St) ->
    lists:mapfoldl(fun qualifier/2, St, Qualifiers).

qualifier({Tag, Anno, Pattern, Expr}, St0) when Tag =:= generate; Tag =:= b_generate ->
    {Expr1, St} = expr(Expr, St0),
    before(anno(Expr), {Tag, Anno, Pattern, Expr1}, St0, St);
qualifier(Filter, St0) ->
    case erl_lint:is_guard_test(Filter) of
        true ->
            before(element(2, Filter), Filter, St0, St0);
        false ->
            {Filter1, St} = expr(Filter, St0),
            before(anno(Filter), Filter1, St0, St)
    end.

%% A qualifier that marked exactly one line inside itself needs no mark before it.
before(Anno, Qualifier, St0, St) ->
    case fresh(St, St0) of
        [_] ->
            {[Qualifier], St};
        _ ->
            {Marks, St1} = enter(erl_anno:line(Anno) + St#st.delta, St),
            Quiet = case Marks of
                        [] -> [erl_anno:line(Anno) + St#st.delta | St#st.quiet];
                        [{_, Line}] -> [L || L <- St#st.quiet, L =/= Line]
                    end,
            {[{block, erl_anno:new(0), Marks ++ [{atom, Anno, true}]} || Marks =/= []] ++ [Qualifier],
             St1#st{quiet = Quiet}}
    end.

%%% Spreading a mark to all branches of the expression before

%% Done's first element is that expression. Cover does this only when exactly one line is concerned.
spread(Done, Quiet, Fresh) ->
    case [Line || Line <- Quiet, lists:member(Line, Fresh)] of
        [Line] -> [spread_expr(hd(Done), Line) | tl(Done)];
        _ -> Done
    end.

spread_expr({'if', Anno, Clauses}, Line) ->
    {'if', Anno, spread_clauses(Clauses, Line)};
spread_expr({'case', Anno, Expr, Clauses}, Line) ->
    {'case', Anno, spread_expr(Expr, Line), spread_clauses(Clauses, Line)};
spread_expr({'receive', Anno, Clauses}, Line) ->
    {'receive', Anno, spread_clauses(Clauses, Line)};
spread_expr({'receive', Anno, Clauses, Timeout, Body}, Line) ->
    {'receive', Anno, spread_clauses(Clauses, Line), spread_expr(Timeout, Line), spread_expr(Body, Line)};
spread_expr({'try', Anno, Body, Clauses, Handlers, After}, Line) ->
    {'try', Anno, spread_expr(Body, Line), spread_clauses(Clauses, Line), spread_clauses(Handlers, Line),
     spread_expr(After, Line)};
spread_expr([Head | Tail], Line) ->
    [spread_expr(Head, Line) | spread_expr(Tail, Line)];
spread_expr(Tuple, Line) when is_tuple(Tuple) ->
    list_to_tuple(spread_expr(tuple_to_list(Tuple), Line));
spread_expr(Other, _Line) ->
    Other.

%% Only when the last clause has the mark; from the first clause that has it on, cover looks inside instead.
spread_clauses([], _Line) ->
    [];
spread_clauses(Clauses, Line) ->
    case has_mark(lists:last(Clauses), Line) of
        true ->
            {Without, With} = lists:splitwith(fun(Clause) -> not has_mark(Clause, Line) end, Clauses),
            [append_mark(Clause, Line) || Clause <- Without] ++ [spread_expr(Clause, Line) || Clause <- With];
        false ->
            Clauses
    end.

append_mark({clause, Anno, Patterns, Guards, Body}, Line) ->
    {Before, [Last]} = lists:split(length(Body) - 1, Body),
    {clause, Anno, Patterns, Guards, Before ++ [{'$then', Last, {'$mark', Line}}]}.

has_mark({'$mark', Line}, Line) -> true;
has_mark([Head | Tail], Line) -> has_mark(Head, Line) orelse has_mark(Tail, Line);
has_mark(Tuple, Line) when is_tuple(Tuple) -> has_mark(tuple_to_list(Tuple), Line);
has_mark(_, _) -> false.

%%% Settling: from the notes above to plain abstract code

settle_form({function, Anno, Name, Arity, Clauses}, Acc0) ->
    {Clauses1, Acc} = settle(Clauses, Acc0),
    {{function, Anno, Name, Arity, Clauses1}, Acc};
settle_form(Form, Acc) ->
    {Form, Acc}.

settle({'$mark', Line}, {N, Lines}) ->
    {mark_call(Line), {N, Lines#{Line => true}}};
settle({'$then', Expr, Mark}, Acc0) ->
    {[Expr1, Mark1], {N, Lines}} = settle([Expr, Mark], Acc0),
    A = generated(),
    Var = variable(A, N),
    {{block, A, [{match, A, Var, Expr1}, Mark1, Var]}, {N + 1, Lines}};
settle({'case', {'$switch', Op, Anno, A}, Left, Clauses}, Acc) ->
    settle_switch(Op, Anno, A, Left, Clauses, Acc);
settle(Tuple, Acc0) when is_tuple(Tuple) ->
    {List, Acc} = settle(tuple_to_list(Tuple), Acc0),
    {list_to_tuple(List), Acc};
settle([Head | Tail], Acc0) ->
    {Head1, Acc1} = settle(Head, Acc0),
    {Tail1, Acc} = settle(Tail, Acc1),
    {[Head1 | Tail1], Acc};
settle(Other, Acc) ->
    {Other, Acc}.

%% Back to the operator when only the right operand has marks.
settle_switch(Op, Anno, A, Left, [True, False, Bad], Acc0) ->
    {Right, Short} = case Op of
                         'andalso' -> {True, False};
                         'orelse' -> {False, True}
                     end,
    case {body_of(Right), body_of(Short)} of
        {[_ | _] = Body, [{atom, _, _}]} ->
            {[Left1 | Body1], Acc} = settle([Left | Body], Acc0),
            {{op, Anno, Op, Left1, block(Body1)}, Acc};
        _ ->
            {N, Lines} = Acc0,
            Named = name_other(Bad, variable(A, N)),
            {[Left1 | Clauses], Acc} = settle([Left, True, False, Named], {N + 1, Lines}),
            {{'case', Anno, Left1, Clauses}, Acc}
    end.

body_of({clause, _, _, _, Body}) -> Body.

block([Expr]) -> Expr;
block(Body) -> {block, generated(), Body}.

name_other({'$other', _}, Var) -> Var;
name_other([Head | Tail], Var) -> [name_other(Head, Var) | name_other(Tail, Var)];
name_other(Tuple, Var) when is_tuple(Tuple) -> list_to_tuple(name_other(tuple_to_list(Tuple), Var));
name_other(Other, _Var) -> Other.

variable(Anno, N) ->
    {var, Anno, list_to_atom("$hound " ++ integer_to_list(N))}.

mark_call(Line) ->
    A = generated(),
    {call, A, {remote, A, {atom, A, '$hound'}, {atom, A, line}}, [{integer, A, Line}]}.

generated() ->
    erl_anno:set_generated(true, erl_anno:new(0)).
