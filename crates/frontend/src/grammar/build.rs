//! From a spec's abstract code to rules.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::{Atom, Mfa, Term};

use super::builtin;
use super::declarations::{Declarations, atom_literal};
use super::opaque::Opaque;
use super::producers::AbstractForm;
use constraint::{Grammar, MapField, RuleId, Shape};

/// A source of other modules' declarations.
pub trait TypeSource {
    fn declarations(&mut self, module: Atom) -> Option<Rc<Declarations>>;
    fn exports(&mut self, function: Mfa) -> bool;
}

/// One clause of a function's spec.
pub struct SpecClause {
    /// The rules of the parameters.
    pub params: Vec<RuleId>,
    /// The rule of the result.
    pub result: RuleId,
}

/// The spec of a function as rules.
#[derive(Default)]
pub struct Spec {
    /// The clauses of the spec.
    pub signatures: Vec<SpecClause>,
    /// Types that could not be read exactly.
    pub warnings: Vec<Warning>,
    /// Opaque types of other modules: to be filled, before the grammar is closed.
    pub opaques: Vec<Opaque>,
}

/// Something in a spec that means nothing; `any()` stands there instead. Or something that says less than it seems to.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Warning {
    #[error("type {module:?}:{name:?}/{arity} is not defined")]
    UnknownType { module: Atom, name: Atom, arity: usize },
    #[error("types of module {0:?} cannot be read")]
    UnknownModule(Atom),
    #[error("record #{name:?}{{}} is not defined in {module:?}")]
    UnknownRecord { module: Atom, name: Atom },
    /// A parametric type whose instances never end.
    #[error("type {module:?}:{name:?} has no end of instances")]
    Unbounded { module: Atom, name: Atom },
    #[error("a type in {module:?} is not understood: {form}")]
    Unreadable { module: Atom, form: String },
    /// An opaque type of the function's own module.
    #[error(
        "values of the opaque type {module:?}:{name:?}/{arity} are whatever its declaration allows; \
         the module itself may never make some of them"
    )]
    Representation { module: Atom, name: Atom, arity: usize },
}

/// The clauses of a function's spec as rules of `grammar`, which is to be closed afterwards; `None` when it has no spec.
pub fn signatures(grammar: &mut Grammar, source: &mut dyn TypeSource, function: Mfa) -> Option<Spec> {
    build(grammar, source, function, None)
}

/// The same, where opaque types of every module, and records that only their module has, are abstract in the parameters:
/// their values are those that calls make ([`Opaque::producers`]). With states, so is every type of the function's module
/// that its `new` or `init` gives.
pub fn abstract_signatures(
    grammar: &mut Grammar,
    source: &mut dyn TypeSource,
    function: Mfa,
    with_states: bool,
) -> Option<Spec> {
    build(grammar, source, function, Some(with_states))
}

/// Builds the clauses of a spec; types are abstract if it is said with or without states.
fn build(grammar: &mut Grammar, source: &mut dyn TypeSource, function: Mfa, with_states: Option<bool>) -> Option<Spec> {
    let declarations = source.declarations(function.module)?;
    let clauses = declarations.spec(function.function, function.arity)?.to_vec();
    let mut builder = Builder {
        grammar,
        source,
        home: function.module,
        instances: FxHashMap::default(),
        records: FxHashMap::default(),
        opaques: Vec::new(),
        warnings: Vec::new(),
        depth: 0,
        is_abstract: with_states.is_some(),
        with_states: with_states == Some(true),
        plain: PlainTypes::default(),
        building: Vec::new(),
    };
    let params: Vec<_> =
        clauses.iter().filter_map(|clause| builder.params(function.module, clause, function.arity)).collect();
    let needed = builder.opaques.len();
    let result = |(mut scope, params, result): (Scope, Vec<RuleId>, Term)| SpecClause {
        params,
        result: builder.plainly(|builder| builder.rule(&mut scope, &result)),
    };
    let signatures = params.into_iter().map(result).collect();
    // No value is made of a type that is only given back.
    builder.opaques[needed..].iter_mut().for_each(|opaque| opaque.constructors.clear());
    let Builder { warnings, opaques, .. } = builder;
    Some(Spec { signatures, warnings, opaques })
}

/// The most instances of types under construction inside each other.
const MAX_INSTANCE_DEPTH: usize = 64;

pub(super) struct Builder<'a> {
    pub(super) grammar: &'a mut Grammar,
    pub(super) source: &'a mut dyn TypeSource,
    /// The module of the function.
    home: Atom,
    pub(super) instances: FxHashMap<(Atom, Atom, Vec<RuleId>), RuleId>,
    /// Records as declared, by module and name: a field may be of the record's own type.
    records: FxHashMap<(Atom, Atom), RuleId>,
    pub(super) opaques: Vec<Opaque>,
    warnings: Vec<Warning>,
    depth: usize,
    /// True where opaque types and private records are abstract.
    pub(super) is_abstract: bool,
    /// True if types that `new` or `init` of the module give are abstract, too.
    with_states: bool,
    /// The types that were built where they are not, while others are built.
    plain: PlainTypes,
    /// Abstract types whose producers are being found.
    pub(super) building: Vec<(Atom, Atom)>,
}

/// Types that were built, by name.
#[derive(Default)]
struct PlainTypes {
    instances: FxHashMap<(Atom, Atom, Vec<RuleId>), RuleId>,
    records: FxHashMap<(Atom, Atom), RuleId>,
}

/// The types of the variables of a type or spec, and the module in which the type is written.
pub(super) struct Scope {
    module: Atom,
    pub(super) variables: FxHashMap<Atom, RuleId>,
    /// `when X :: T`: not yet resolved.
    pub(super) constraints: FxHashMap<Atom, Term>,
}

impl Scope {
    pub(super) fn of(module: Atom) -> Scope {
        Scope { module, variables: FxHashMap::default(), constraints: FxHashMap::default() }
    }

    /// The parameters and the result of a clause of a spec, whose constraints hold from now on.
    pub(super) fn clause(&mut self, clause: &Term) -> Option<(Vec<Term>, Term)> {
        let function = match parts(clause)? {
            ("bounded_fun", args) => {
                let [function, constraints] = &args[..] else { return None };
                self.constraints = constraints.cells().filter_map(constraint).collect();
                parts(function)?
            }
            parts => parts,
        };
        let ("fun", args) = function else { return None };
        let [product, result] = &args[..] else { return None };
        let ("product", params) = parts(product)? else { return None };
        Some((params, result.clone()))
    }
}

impl Builder<'_> {
    /// The parameters of a clause, and its result, still to be built.
    fn params(&mut self, module: Atom, clause: &Term, arity: u8) -> Option<(Scope, Vec<RuleId>, Term)> {
        let mut scope = Scope::of(module);
        let (params, result) = scope.clause(clause)?;
        if params.len() != arity as usize {
            return None;
        }
        let params = self.rules(&mut scope, &params);
        Some((scope, params, result))
    }

    /// Builds types as they are declared, be they abstract or not.
    pub(super) fn plainly<R>(&mut self, build: impl FnOnce(&mut Self) -> R) -> R {
        if !self.is_abstract {
            return build(self);
        }
        self.is_abstract = false;
        self.swap_types();
        let built = build(self);
        self.swap_types();
        self.is_abstract = true;
        built
    }

    fn swap_types(&mut self) {
        std::mem::swap(&mut self.instances, &mut self.plain.instances);
        std::mem::swap(&mut self.records, &mut self.plain.records);
    }

    pub(super) fn rule(&mut self, scope: &mut Scope, form: &Term) -> RuleId {
        let shapes = self.shapes(scope, form);
        self.grammar.intern(shapes)
    }

    pub(super) fn rules(&mut self, scope: &mut Scope, forms: &[Term]) -> Vec<RuleId> {
        forms.iter().map(|form| self.rule(scope, form)).collect()
    }

    fn shapes(&mut self, scope: &mut Scope, form: &Term) -> Vec<Shape> {
        match self.known_shapes(scope, form) {
            Some(shapes) => shapes,
            None => self.any(Warning::Unreadable { module: scope.module, form: form.to_string() }),
        }
    }

    fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn any(&mut self, warning: Warning) -> Vec<Shape> {
        self.warn(warning);
        vec![Shape::Any]
    }

    fn known_shapes(&mut self, scope: &mut Scope, form: &Term) -> Option<Vec<Shape>> {
        if let Some(value) = builtin::constant(form) {
            return Some(vec![Shape::Literal(Term::big(value))]);
        }
        let items = form.as_tuple()?;
        match (items.first()?.as_atom()?.name(), &items[1..]) {
            ("atom", [_, name]) => Some(vec![Shape::Literal(name.clone())]),
            ("var", [_, name]) => Some(self.variable(scope, name.as_atom()?)),
            ("ann_type", [_, pair]) => Some(self.shapes(scope, pair.cells().nth(1)?)),
            ("paren_type", [_, inner]) => Some(self.shapes(scope, inner.cells().next()?)),
            ("remote_type", [_, named]) => self.remote(scope, &named.proper_list()?),
            ("user_type", [_, name, args]) => {
                let args = self.rules(scope, &args.proper_list()?);
                Some(self.instance(scope.module, name.as_atom()?, args))
            }
            ("type", [_, name, args]) => self.predefined(scope, name.as_atom()?, args),
            ("type", [_, name]) => self.predefined(scope, name.as_atom()?, &Term::nil()),
            _ => None,
        }
    }

    fn variable(&mut self, scope: &mut Scope, name: Atom) -> Vec<Shape> {
        if let Some(&rule) = scope.variables.get(&name) {
            return vec![Shape::Rule(rule)];
        }
        let Some(bound) = scope.constraints.get(&name).cloned() else { return vec![Shape::Any] };
        let rule = self.grammar.reserve();
        scope.variables.insert(name, rule);
        let shapes = self.shapes(scope, &bound);
        self.grammar.fill(rule, shapes);
        vec![Shape::Rule(rule)]
    }

    fn remote(&mut self, scope: &mut Scope, named: &[Term]) -> Option<Vec<Shape>> {
        let [module, name, args] = named else { return None };
        let args = self.rules(scope, &args.proper_list()?);
        Some(self.instance(atom_literal(module)?, atom_literal(name)?, args))
    }

    /// A declared type with these arguments, built once.
    pub(super) fn instance(&mut self, module: Atom, name: Atom, args: Vec<RuleId>) -> Vec<Shape> {
        let key = (module, name, args.clone());
        if let Some(&rule) = self.instances.get(&key) {
            return vec![Shape::Rule(rule)];
        }
        if self.depth >= MAX_INSTANCE_DEPTH {
            return self.any(Warning::Unbounded { module, name });
        }
        let Some(declarations) = self.source.declarations(module) else {
            return self.any(Warning::UnknownModule(module));
        };
        let Some(declared) = declarations.type_named(name, args.len()) else {
            return self.any(Warning::UnknownType { module, name, arity: args.len() });
        };
        let is_state = || self.with_states && module == self.home && declarations.is_state(name, args.len());
        // One that says nothing, and is made by calls, is opaque in all but name.
        let is_unsaid = || declared.says_nothing() && declarations.is_state(name, args.len());
        if self.is_abstract && (declared.opaque || is_unsaid() || is_state()) {
            return self.abstract_type((module, name, args), AbstractForm::Type(name), &declarations);
        }
        let arity = args.len();
        let rule = self.grammar.reserve_named(module, name);
        // Inside its own module an opaque type is what its declaration says.
        let made = declared.opaque && module != self.home;
        self.instances.insert(key.clone(), rule);
        let variables = declared.params.iter().copied().zip(args).collect();
        let mut scope = Scope { module, variables, constraints: FxHashMap::default() };
        self.depth += 1;
        let shapes = self.shapes(&mut scope, &declared.body);
        self.depth -= 1;
        self.grammar.fill(rule, shapes);
        if made {
            self.opaque(key.clone(), &declarations, rule);
            return vec![Shape::Rule(self.instances[&key])];
        }
        if declared.opaque {
            self.warn(Warning::Representation { module, name, arity });
        }
        vec![Shape::Rule(rule)]
    }

    fn predefined(&mut self, scope: &mut Scope, name: Atom, args: &Term) -> Option<Vec<Shape>> {
        let any_args = args.as_atom().is_some();
        let args = args.proper_list().unwrap_or_default();
        match (name.name(), &args[..]) {
            ("union", members) => Some(members.iter().flat_map(|member| self.shapes(scope, member)).collect()),
            ("tuple", _) if any_args => Some(vec![Shape::AnyTuple]),
            ("tuple", items) => Some(vec![Shape::Tuple(self.rules(scope, items))]),
            ("map", _) if any_args => builtin::shapes(self.grammar, "map", &[]),
            ("map", fields) => self.map(scope, fields),
            ("record", [name, fields @ ..]) => self.record(scope, atom_literal(name)?, fields),
            ("range", [low, high]) => Some(vec![range(low, high)?]),
            ("binary", [base, unit]) => Some(vec![bits(base, unit)?]),
            ("fun", args) => self.function(scope, args),
            (name, args) => {
                let args = self.rules(scope, args);
                builtin::shapes(self.grammar, name, &args)
            }
        }
    }

    /// The first field that has a key says what its value is. A key that a map must have stands before the fields for many
    /// keys, which would take it; its value may be theirs.
    fn map(&mut self, scope: &mut Scope, fields: &[Term]) -> Option<Vec<Shape>> {
        let (mut first, mut others): (Vec<MapField>, Vec<MapField>) = (Vec::new(), Vec::new());
        for field in fields {
            let (kind, pair) = parts(field)?;
            let [key, value] = &pair[..] else { return None };
            let (is_one, mandatory) = (atom_literal(key).is_some(), kind == "map_field_exact");
            let (key, value) = (self.rule(scope, key), self.rule(scope, value));
            if is_one && mandatory {
                let values = others.iter().map(|other| other.value).chain([value]).map(Shape::Rule);
                let value = if others.is_empty() { value } else { self.grammar.intern(values.collect()) };
                first.push(MapField { key, value, mandatory });
            } else {
                others.push(MapField { key, value, mandatory });
            }
        }
        Some(vec![Shape::Map(first.into_iter().chain(others).collect())])
    }

    pub(super) fn record(&mut self, scope: &mut Scope, name: Atom, given: &[Term]) -> Option<Vec<Shape>> {
        if !given.is_empty() {
            return self.record_with(scope, name, given);
        }
        if let Some(&rule) = self.records.get(&(scope.module, name)) {
            return Some(vec![Shape::Rule(rule)]);
        }
        if self.is_abstract
            && let Some(declared) = self.source.declarations(scope.module)
            && declared.is_private_record(name)
        {
            let key = (scope.module, Atom::new(&format!("#{name}")), Vec::new());
            return Some(self.abstract_type(key, AbstractForm::Record(name), &declared));
        }
        let rule = self.grammar.reserve();
        self.records.insert((scope.module, name), rule);
        let shapes = self.record_with(scope, name, given)?;
        self.grammar.fill(rule, shapes);
        Some(vec![Shape::Rule(rule)])
    }

    /// A record, some of whose fields have other types than those declared.
    fn record_with(&mut self, scope: &mut Scope, name: Atom, given: &[Term]) -> Option<Vec<Shape>> {
        let module = scope.module;
        let declarations = self.source.declarations(module)?;
        let Some(fields) = declarations.record(name) else {
            return Some(self.any(Warning::UnknownRecord { module, name }));
        };
        let mut rules = vec![self.grammar.intern(vec![Shape::Literal(Term::atom(name))])];
        for field in fields {
            let narrowed = given.iter().find_map(|form| field_type(form, field.name));
            let rule = match (narrowed, &field.body) {
                (Some(form), _) => self.rule(scope, &form),
                (None, Some(form)) => self.rule(&mut Scope::of(module), form),
                (None, None) => self.grammar.intern(vec![Shape::Any]),
            };
            rules.push(rule);
        }
        Some(vec![Shape::Tuple(rules)])
    }

    fn function(&mut self, scope: &mut Scope, args: &[Term]) -> Option<Vec<Shape>> {
        let [params, result] = args else { return builtin::shapes(self.grammar, "fun", &[]) };
        let result = self.rule(scope, result);
        let params = match parts(params) {
            Some(("product", params)) => Some(self.rules(scope, &params)),
            _ => None,
        };
        Some(vec![Shape::Fun { params, result }])
    }
}

/// `{type, Anno, Name, Args}` as name and arguments.
fn parts(form: &Term) -> Option<(&'static str, Vec<Term>)> {
    match form.as_tuple()? {
        [tag, _, name, args] if tag.as_atom()?.name() == "type" => {
            Some((name.as_atom()?.name(), args.proper_list().unwrap_or_default()))
        }
        _ => None,
    }
}

/// The variable and type of `X :: T` in a `when`.
fn constraint(form: &Term) -> Option<(Atom, Term)> {
    let (_, args) = parts(form)?;
    let pair = args.get(1)?.proper_list()?;
    let [variable, bound] = &pair[..] else { return None };
    Some((variable.as_tuple()?.get(2)?.as_atom()?, bound.clone()))
}

fn field_type(form: &Term, field: Atom) -> Option<Term> {
    let (_, args) = parts(form)?;
    let [name, body] = &args[..] else { return None };
    (atom_literal(name)? == field).then(|| body.clone())
}

fn range(low: &Term, high: &Term) -> Option<Shape> {
    Some(Shape::Integer { low: Some(builtin::constant(low)?), high: Some(builtin::constant(high)?) })
}

fn bits(base: &Term, unit: &Term) -> Option<Shape> {
    let size = |form: &Term| u64::try_from(builtin::constant(form)?).ok();
    Some(Shape::Bits { base: size(base)?, unit: size(unit)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Declarations as the compiler hands them over, one attribute a line.
    fn declarations(text: &str) -> Declarations {
        let attributes: Vec<(Term, Term)> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| {
                let pair = Term::read(line.trim()).expect("the attribute reads");
                let [name, value] = pair.as_tuple().expect("a pair") else { panic!("a pair: {line}") };
                (name.clone(), value.clone())
            })
            .collect();
        Declarations::read(&attributes)
    }

    struct One(Rc<Declarations>);

    impl TypeSource for One {
        fn declarations(&mut self, module: Atom) -> Option<Rc<Declarations>> {
            (module.name() == "m").then(|| self.0.clone())
        }

        fn exports(&mut self, _: Mfa) -> bool {
            true
        }
    }

    fn build(text: &str, arity: u8) -> (Grammar, Vec<SpecClause>, Vec<Warning>) {
        let mut grammar = Grammar::default();
        let function = Mfa { module: Atom::new("m"), function: Atom::new("f"), arity };
        let mut source = One(Rc::new(declarations(text)));
        let found = signatures(&mut grammar, &mut source, function).expect("a spec");
        grammar.close();
        (grammar, found.signatures, found.warnings)
    }

    #[test]
    fn a_recursive_parametric_type_is_one_rule_per_instance() {
        let (grammar, signatures, warnings) = build(
            "{type,[{t,{type,1,union,[{type,1,tuple,[{atom,1,leaf},{var,1,'X'}]},{type,1,tuple,[{atom,1,node},{user_type,1,t,[{var,1,'X'}]},{user_type,1,t,[{var,1,'X'}]}]}]},[{var,1,'X'}]}]}
             {spec,[{{f,1},[{type,1,'fun',[{type,1,product,[{user_type,1,t,[{type,1,atom,[]}]}]},{type,1,any,[]}]}]}]}",
            1,
        );
        assert!(warnings.is_empty());
        let tree = signatures[0].params[0];
        let [Shape::Tuple(leaf), Shape::Tuple(node)] = &grammar.rule(tree).shapes[..] else { panic!("two tuples") };
        assert_eq!(grammar.rule(leaf[1]).shapes, [Shape::Atom]);
        assert_eq!(node[1..], [tree, tree]);
        assert_eq!(grammar.heights()[tree.0 as usize], Some(1));
    }

    #[test]
    fn constraints_records_and_several_clauses() {
        let (grammar, signatures, warnings) = build(
            "{record,[{r,[{typed_record_field,{record_field,1,{atom,1,a},{integer,1,1}},{type,1,integer,[]}},{record_field,1,{atom,1,b}}]}]}
             {spec,[{{f,1},[{type,1,bounded_fun,[{type,1,'fun',[{type,1,product,[{var,1,'X'}]},{var,1,'X'}]},[{type,1,constraint,[{atom,1,is_subtype},[{var,1,'X'},{type,1,range,[{op,1,'-',{integer,1,2}},{integer,1,5}]}]]}]]},{type,1,'fun',[{type,1,product,[{type,1,record,[{atom,1,r},{type,1,field_type,[{atom,1,b},{atom,1,z}]}]}]},{type,1,no_return,[]}]}]}]}",
            1,
        );
        assert!(warnings.is_empty());
        let range = Shape::Integer { low: Some((-2).into()), high: Some(5.into()) };
        assert_eq!(grammar.rule(signatures[0].params[0]).shapes, [range]);
        let [Shape::Tuple(record)] = &grammar.rule(signatures[1].params[0]).shapes[..] else { panic!("a tuple") };
        let fields: Vec<_> = record.iter().map(|rule| grammar.rule(*rule).shapes[0].clone()).collect();
        let atom = |name| Shape::Literal(Term::atom_named(name));
        assert_eq!(fields, [atom("r"), Shape::Integer { low: None, high: None }, atom("z")]);
        assert!(grammar.rule(signatures[1].result).shapes.is_empty());
    }

    #[test]
    fn a_record_of_itself_is_a_recursive_rule() {
        let (grammar, signatures, _) = build(
            "{record,[{n,[{typed_record_field,{record_field,1,{atom,1,next}},{type,1,union,[{atom,1,nil},{type,1,record,[{atom,1,n}]}]}}]}]}
             {spec,[{{f,1},[{type,1,'fun',[{type,1,product,[{type,1,record,[{atom,1,n}]}]},{type,1,any,[]}]}]}]}",
            1,
        );
        let record = &grammar.rule(signatures[0].params[0]).shapes;
        let [Shape::Tuple(fields)] = &record[..] else { panic!("{record:?}") };
        let nil = Shape::Literal(Term::atom_named("nil"));
        assert_eq!(grammar.rule(fields[1]).shapes, [nil, record[0].clone()]);
    }

    #[test]
    fn what_is_missing_is_named_and_becomes_any() {
        let (grammar, signatures, warnings) = build(
            "{spec,[{{f,2},[{type,1,'fun',[{type,1,product,[{user_type,1,gone,[]},{remote_type,1,[{atom,1,n},{atom,1,t},[]]}]},{type,1,any,[]}]}]}]}",
            2,
        );
        let (m, n) = (Atom::new("m"), Atom::new("n"));
        let gone = Warning::UnknownType { module: m, name: Atom::new("gone"), arity: 0 };
        assert_eq!(warnings, [gone, Warning::UnknownModule(n)]);
        assert_eq!(signatures[0].params.len(), 2);
        for param in &signatures[0].params {
            assert_eq!(grammar.rule(*param).shapes, [Shape::Any]);
        }
    }

    #[test]
    fn a_type_without_end_is_noticed() {
        let (_, _, warnings) = build(
            "{type,[{t,{type,1,tuple,[{var,1,'X'},{user_type,1,t,[{type,1,tuple,[{var,1,'X'}]}]}]},[{var,1,'X'}]}]}
             {spec,[{{f,1},[{type,1,'fun',[{type,1,product,[{user_type,1,t,[{type,1,atom,[]}]}]},{type,1,any,[]}]}]}]}",
            1,
        );
        assert_eq!(warnings, [Warning::Unbounded { module: Atom::new("m"), name: Atom::new("t") }]);
    }
}
