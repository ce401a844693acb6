//! The parts of programs that call, jump, raise or catch.

use super::{Scope, Writer};
use crate::kinds::{chance, pick};

impl Writer {
    pub fn own_call(&mut self, scope: &Scope, size: u32) -> String {
        if self.functions.is_empty() {
            return self.known_call(scope, size);
        }
        let name = self.functions[self.rng.usize(..self.functions.len())].clone();
        let parts = [self.expression(scope, size), self.leaf(scope)];
        self.after(&parts, |it| format!("apply '{name}'/2 ({},{})", it[0], it[1]))
    }

    /// A local function that calls itself a few times.
    pub fn counted(&mut self, scope: &Scope, size: u32) -> String {
        let name = self.fresh("loop");
        let inside = scope.inside("N").inside("S");
        let step = self.expression(&inside, size.min(1));
        let (start, count) = (self.leaf(scope), self.rng.u32(..4));
        let parts = ["call 'erlang':'-' (N,1)".to_owned(), step];
        let again = self.after(&parts, |it| format!("apply '{name}'/2 ({},{})", it[0], it[1]));
        format!(
            "letrec '{name}'/2 = fun (N,S) -> case N of <0> when 'true' -> S <_M> when 'true' -> {again} end in \
             apply '{name}'/2 ({count},{start})"
        )
    }

    /// A local function, which the expression may call or not.
    pub fn local_call(&mut self, scope: &Scope, size: u32) -> String {
        if let Some(name) = scope.locals.last().filter(|_| self.rng.bool()) {
            let (name, part) = (name.clone(), self.expression(&scope.inner(), size));
            return self.after(&[part], |it| format!("apply '{name}'/1 ({})", it[0]));
        }
        let (name, param) = (self.fresh("local"), self.name());
        let inside = scope.inside(&param);
        let (body, arg) = (self.expression(&inside, size), self.leaf(scope));
        let mut scope = scope.inner();
        scope.locals.push(name.clone());
        let parts = [format!("apply '{name}'/1 ({arg})"), self.expression(&scope, size)];
        let pair = self.after(&parts, |it| format!("{{{},{}}}", it[0], it[1]));
        format!("letrec '{name}'/1 = fun ({param}) -> {body} in {pair}")
    }

    /// A label and an expression that may jump to it.
    pub fn label(&mut self, scope: &Scope, size: u32) -> String {
        if scope.in_fun {
            return self.case(scope, size);
        }
        let (name, param) = (self.fresh("label"), self.fresh("J"));
        let body = self.expression(&scope.with(std::slice::from_ref(&param)), size);
        let mut inside = scope.clone();
        inside.labels.push(name.clone());
        let (first, rest) = (self.leaf(scope), self.expression(&inside, size));
        let guard = self.guard(&scope.variables);
        format!(
            "( letrec '{name}'/1 = fun ({param}) -> {body} in case {first} of <X> when {guard} -> \
             apply '{name}'/1 (X) <X> when 'true' -> {rest} end -| ['letrec_goto'] )"
        )
    }

    /// A fun that is called, or passed to a function that calls it, or to one of the library.
    pub fn closure(&mut self, scope: &Scope, size: u32) -> String {
        let (fun, param) = (self.fresh("F"), self.name());
        let inside = scope.inside(&param);
        let (body, arg) = (self.expression(&inside, size), self.expression(&scope.inner(), size));
        let used = match self.rng.u32(..4) {
            0 => self.after(&[arg], |it| format!("apply 'through'/2 ({fun},{})", it[0])),
            1 => {
                let parts = [arg, self.leaf(scope)];
                self.after(&parts, |it| format!("call 'lists':'map' ({fun},[{}|[{}]])", it[0], it[1]))
            }
            2 if !scope.funs.is_empty() => {
                let other = scope.funs[self.rng.usize(..scope.funs.len())].clone();
                let first = self.after(&[arg], |it| format!("apply {other} ({})", it[0]));
                self.after(&[first], |it| format!("apply {fun} ({})", it[0]))
            }
            _ => {
                let mut inner = scope.inner();
                inner.funs.push(fun.clone());
                let first = self.after(&[arg], |it| format!("apply {fun} ({})", it[0]));
                let parts = [first, self.expression(&inner, size)];
                self.after(&parts, |it| format!("{{{},{}}}", it[0], it[1]))
            }
        };
        format!("let <{fun}> = fun ({param}) -> {body} in {used}")
    }

    pub fn attempt(&mut self, scope: &Scope, size: u32) -> String {
        let (body, ok) = (self.expression(&scope.inner(), size), self.name());
        let rest = self.expression(&scope.with(std::slice::from_ref(&ok)).inner(), size);
        let after = self.leaf(scope);
        let handler = match self.rng.u32(..5) {
            // Back to the caller outside, if there is one.
            0 => "catch <RC,RR,RS> -> primop 'raise' (RS,RR)".to_owned(),
            1 => {
                let after = format!("call 'erlang':'put' ('after',{after})");
                return format!(
                    "let <O> = try {body} of <{ok}> -> {ok} catch <AC,AR,AS> -> do {after} primop 'raise' (AS,AR) in \
                     do {after} {{O,call 'erlang':'erase' ('after')}}"
                );
            }
            2 => {
                let other = self.expression(&scope.inner(), size);
                format!(
                    "catch <HC,HR,HS> -> case {{HC,HR}} of <{{'throw',X}}> when 'true' -> {{'thrown',X}} \
                     <{{'error',{{'badmatch',X}}}}> when 'true' -> X <X> when 'true' -> {other} end"
                )
            }
            _ => "catch <HC,HR,HS> -> {HC,HR}".to_owned(),
        };
        let whole = format!("try {body} of <{ok}> -> {rest} {handler}");
        match chance(&mut self.rng, 40) {
            true => format!("try {whole} of <{ok}> -> {{{ok}}} catch <HC,HR,HS> -> ['outer'|{{HC,HR}}]"),
            false => whole,
        }
    }

    /// A stack trace begins where the program was called, so it is taken out.
    pub fn caught(&mut self, scope: &Scope, size: u32) -> String {
        let body = self.expression(scope, size);
        format!("case catch {body} of <{{'EXIT',{{X,_Stack}}}}> when 'true' -> {{'EXIT',X}} <X> when 'true' -> X end")
    }

    pub fn map(&mut self, scope: &Scope, size: u32) -> String {
        let (kind, parts) = (self.rng.u32(..3), [self.expression(scope, size), self.leaf(scope)]);
        self.after(&parts, |it| match kind {
            0 => format!("~{{'k'=>{},'l'=>{}}}~", it[0], it[1]),
            1 => format!(
                "case {} of <M> when call 'erlang':'is_map' (M) -> ~{{'k'=>{}|M}}~ \
                 <X> when 'true' -> call 'erlang':'error' ({{'badmap',X}}) end",
                it[0], it[1]
            ),
            _ => format!("~{{'k':={}|~{{'k'=>{},1=>'b'}}~}}~", it[0], it[1]),
        })
    }

    pub fn bits(&mut self, scope: &Scope, size: u32) -> String {
        let (kind, part) = (self.rng.u32(..3), self.expression(scope, size));
        let number = |bits: u32, sign: &str| format!("({bits},1,'integer',['unsigned'|['{sign}']])");
        self.after(&[part], |it| match kind {
            0 => format!("#{{#<{}>{},#<5>{}}}#", it[0], number(8, "big"), number(3, "big")),
            1 => format!("#{{#<1>{},#<{}>('all',1,'binary',['unsigned'|['big']])}}#", number(16, "little"), it[0]),
            _ => format!("#{{#<{}>(32,1,'float',['unsigned'|['big']])}}#", it[0]),
        })
    }

    pub fn known_call(&mut self, scope: &Scope, size: u32) -> String {
        let name = pick(&mut self.rng, &["+", "*", "div", "++", "=:=", "<", "element", "max", "xor"]);
        let parts = [self.expression(scope, size), self.leaf(scope)];
        self.after(&parts, |it| format!("call 'erlang':'{name}' ({},{})", it[0], it[1]))
    }

    /// Functions of the library that are code, and one that is not there.
    pub fn outside_call(&mut self, scope: &Scope, size: u32) -> String {
        let (kind, parts) = (self.rng.u32(..5), [self.expression(scope, size), self.leaf(scope)]);
        self.after(&parts, |it| match kind {
            0 => format!("call 'ordsets':'from_list' ([{}|[{}]])", it[0], it[1]),
            1 => format!("call 'lists':'sum' ([{}|[1]])", it[0]),
            2 => format!("call 'lists':'zip' ([{}],[{}])", it[0], it[1]),
            3 => format!("let <Q> = call 'queue':'from_list' ([{}]) in call 'queue':'to_list' (Q)", it[0]),
            _ => format!("call 'lists':'there_is_no_such' ({})", it[0]),
        })
    }

    /// Only the run knows the module or the function.
    pub fn named_call(&mut self, scope: &Scope, size: u32) -> String {
        let (kind, parts) = (self.rng.u32(..4), [self.expression(scope, size), self.leaf(scope)]);
        let own = (!self.functions.is_empty()).then(|| self.functions[self.rng.usize(..self.functions.len())].clone());
        let module = self.module.clone();
        self.after(&parts, |it| match (kind, own) {
            (0, _) => format!("let <M> = 'lists' in call M:'last' ([{}])", it[0]),
            (1, _) => format!("let <Name> = 'hd' in call 'erlang':Name ([{}])", it[0]),
            (2, Some(name)) => {
                format!("let <M,Name> = <'{module}','{name}'> in call M:Name ({},{})", it[0], it[1])
            }
            _ => format!("let <Name> = {} in call 'erlang':Name ([{}])", it[1], it[0]),
        })
    }

    pub fn failure(&mut self, scope: &Scope) -> String {
        let value = self.leaf(scope);
        match self.rng.u32(..5) {
            0 => format!("primop 'match_fail' ({{'badmatch',{value}}})"),
            1 => format!("call 'erlang':'exit' ({value})"),
            2 => format!("call 'erlang':'error' ({value})"),
            _ => format!("call 'erlang':'throw' ({value})"),
        }
    }
}
