//! Expressions as terms of the datatype, each with the condition under which it has a value.

use constraint::{Condition, Expr, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Term};

use crate::Claim;
use crate::bits::BitReads;
use crate::commands::{Commands, and, not, or};
use crate::literal::Literals;
use crate::maps::MapUses;
use crate::model::EncodedClaim;

/// An expression in the script.
#[derive(Clone)]
pub struct Encoded {
    /// Its value, where it has one.
    pub value: String,
    /// True where it has a value.
    pub defined: String,
}

/// The meaning of an operation on parts that are encoded.
pub struct Meaning {
    /// Its value, where it has one.
    pub value: String,
    /// All must hold where it has one.
    pub needs: Vec<String>,
    /// With the needs it certainly has one if this holds; nothing if that is not known.
    pub enough: Option<String>,
}

impl Meaning {
    /// An operation that has a value exactly where all this holds.
    pub fn exact(value: String, needs: Vec<String>) -> Meaning {
        Meaning { value, needs, enough: Some(String::from("true")) }
    }
}

/// The script of a claim as it grows.
pub struct ClaimEncoder<'a> {
    /// The claim.
    pub claim: Claim<'a>,
    /// The commands.
    pub script: Commands,
    /// The names of parts: of the head of a term and the like.
    pub parts: FxHashMap<String, String>,
    /// Lists whose end, length or characters a condition is about.
    pub lists: Vec<String>,
    /// Pairs of terms that are compared as `==` and `<` do.
    pub pairs: Vec<(String, String)>,
    /// Constants.
    pub literals: Literals,
    /// Maps and keys.
    pub maps: MapUses,
    /// Bitstrings, and the numbers read from them.
    pub bits: BitReads,
    /// Calls of funs: the fun, the arguments, the result.
    pub results: Vec<(String, Vec<String>, String)>,
    /// Terms whose parts are not compared, because they seem to be neither cells nor tuples.
    pub plain: FxHashSet<String>,
    /// Names of atoms are looked at.
    pub names: bool,
    /// Characters of lists are looked at.
    pub texts: bool,
    known: FxHashMap<Expr, Encoded>,
}

impl<'a> ClaimEncoder<'a> {
    /// An encoder that has declared the inputs.
    pub fn new(claim: Claim<'a>) -> ClaimEncoder<'a> {
        let mut encoder = ClaimEncoder {
            claim,
            script: Commands::default(),
            parts: FxHashMap::default(),
            lists: Vec::new(),
            pairs: Vec::new(),
            literals: Literals::default(),
            maps: MapUses::default(),
            bits: BitReads::of(&claim),
            results: Vec::new(),
            plain: FxHashSet::default(),
            names: false,
            texts: false,
            known: FxHashMap::default(),
        };
        (0..claim.inputs.len()).for_each(|at| encoder.script.function(&input(at), "T", 0));
        encoder
    }

    /// States the conditions, the rules of the inputs, and the facts about everything that occurs in them.
    pub fn finish(mut self) -> EncodedClaim {
        let conditions: &'a [Condition] = self.claim.conditions;
        for condition in conditions {
            let fact = self.condition(condition);
            self.script.assert(&fact);
        }
        self.state_rules();
        self.state_order();
        self.state_lists();
        self.state_maps();
        self.state_bits();
        EncodedClaim::new(self)
    }

    /// The encoding of the form that an expression was asked for.
    pub fn encode(&mut self, expr: Expr) -> Encoded {
        let expr = expr.original();
        if let Some(known) = self.known.get(&expr) {
            return known.clone();
        }
        let node: &'a Node = self.claim.arena.original(expr);
        let Meaning { value, needs, enough } = term::deeper(|| self.meaning(node));
        let all = and(&needs);
        let defined = match enough.as_deref() {
            Some("true") => self.script.define("Bool", &all),
            enough => {
                let defined = self.script.declare("Bool");
                self.script.assert_if(&defined, &all);
                if let Some(enough) = enough {
                    self.script.assert_if(&and([&*all, enough]), &defined);
                }
                defined
            }
        };
        let encoded = Encoded { value: self.named(&value), defined };
        if is_plain(node) {
            self.plain.insert(encoded.value.clone());
        }
        self.known.insert(expr, encoded.clone());
        encoded
    }

    /// A name for a value, under which its parts are found again.
    pub fn named(&mut self, value: &str) -> String {
        if let Some(name) = self.parts.get(value) {
            return name.clone();
        }
        let name = self.script.define("T", value);
        self.parts.insert(value.to_owned(), name.clone());
        name
    }

    /// The values of expressions; the conditions under which they have one are added.
    pub fn values(&mut self, exprs: &[Expr], needs: &mut Vec<String>) -> Vec<String> {
        let mut value = |expr: &Expr| {
            let Encoded { value, defined } = self.encode(*expr);
            needs.push(defined);
            value
        };
        exprs.iter().map(&mut value).collect()
    }

    fn meaning(&mut self, node: &'a Node) -> Meaning {
        let mut needs = Vec::new();
        match node {
            Node::Input(at) if (*at as usize) < self.claim.inputs.len() => Meaning::exact(input(*at as usize), needs),
            Node::Input(_) => Meaning::exact(String::from("mknil"), vec![String::from("false")]),
            Node::Literal(term) => Meaning::exact(self.literal(term), needs),
            Node::Head(list) | Node::Tail(list) => {
                let list = self.values(&[*list], &mut needs).remove(0);
                needs.push(format!("(iscons {list})"));
                let part = if matches!(node, Node::Head(_)) { "hd" } else { "tl" };
                Meaning::exact(format!("({part} {list})"), needs)
            }
            Node::Element(tuple, at) => {
                let tuple = self.values(&[*tuple], &mut needs).remove(0);
                needs.push(format!("(istup {tuple})"));
                let cell = self.cell(&tuple, *at, &mut needs);
                Meaning::exact(format!("(hd {cell})"), needs)
            }
            Node::Cons(head, tail) => {
                let parts = self.values(&[*head, *tail], &mut needs);
                let cell = self.named(&format!("(mkcons {} {})", parts[0], parts[1]));
                self.parts.insert(format!("(hd {cell})"), parts[0].clone());
                self.parts.insert(format!("(tl {cell})"), parts[1].clone());
                Meaning::exact(cell, needs)
            }
            Node::Tuple(items) => {
                let items = self.values(items, &mut needs);
                Meaning::exact(format!("(mktup {})", list(&items)), needs)
            }
            Node::Result(fun, args) => self.result(*fun, args),
            Node::Opaque(_, args) => self.opaque(args),
            Node::Name(inner) | Node::Atom(inner) => self.name(*inner, matches!(node, Node::Name(_))),
            Node::MapValue(..) | Node::MapKey(..) | Node::MapPut(..) | Node::MapRemove(..) | Node::MapMerge(..) => {
                self.map(node)
            }
            Node::Bits { of, at, size } => self.bits_read(*of, *at, *size),
            Node::Slice { of, at, size } => self.slice([*of, *at, *size]),
            Node::Build { parts, .. } => self.build(parts),
            Node::Apply(op, args) => self.apply(*op, args),
        }
    }

    /// The cell of a tuple's list at a place; that it and those before it are cells is needed.
    pub fn cell(&mut self, tuple: &str, at: u32, needs: &mut Vec<String>) -> String {
        let mut cell = self.named(&format!("(tv {tuple})"));
        for _ in 0..at {
            needs.push(format!("(iscons {cell})"));
            cell = self.named(&format!("(tl {cell})"));
        }
        needs.push(format!("(iscons {cell})"));
        cell
    }

    /// Calls with equal funs and arguments have equal results.
    fn result(&mut self, fun: Expr, args: &[Expr]) -> Meaning {
        let mut needs = Vec::new();
        let fun = self.values(&[fun], &mut needs).remove(0);
        let args = self.values(args, &mut needs);
        needs.push(format!("(isfun {fun})"));
        needs.push(format!("(= (arity {fun}) {})", args.len()));
        let function = format!("result{}", args.len());
        self.script.function(&function, "T", args.len() + 1);
        let value = self.named(&format!("({function} {fun} {})", args.join(" ")));
        self.results.push((fun, args, value.clone()));
        // A fun that is no table has no result here.
        Meaning { value, needs, enough: None }
    }

    /// The outcome of a call that no rule describes: `{Value}` or `{Class, Reason}`. Equal arguments need not have equal
    /// outcomes here, since zeros of both signs are one number.
    fn opaque(&mut self, args: &[Expr]) -> Meaning {
        let mut needs = Vec::new();
        self.values(args, &mut needs);
        let outcome = self.script.declare("T");
        let rest = format!("(tl (tv {outcome}))");
        let pair = and([format!("(iscons {rest})"), format!("(isnil (tl {rest}))")]);
        let size = or([format!("(isnil {rest})"), pair]);
        self.script.assert(&and([format!("(istup {outcome})"), format!("(iscons (tv {outcome}))"), size]));
        Meaning { value: outcome, needs, enough: None }
    }

    /// The characters of an atom, or the atom of these: each determines the other.
    fn name(&mut self, inner: Expr, is_name: bool) -> Meaning {
        let mut needs = Vec::new();
        let inner = self.values(&[inner], &mut needs).remove(0);
        let value = if is_name { format!("(name {inner})") } else { format!("(named {inner})") };
        let value = self.named(&value);
        let (atom, text) = if is_name { (&inner, &value) } else { (&value, &inner) };
        let facts = [
            format!("(isatm {atom})"),
            or([format!("(iscons {text})"), format!("(isnil {text})")]),
            format!("(= (name {atom}) {text})"),
            format!("(= (named {text}) {atom})"),
            format!("(text {text})"),
        ];
        self.lists.push(text.clone());
        (self.names, self.texts) = (true, true);
        if is_name {
            needs.push(facts[0].clone());
            self.script.assert_if(&facts[0], &and(&facts));
            return Meaning::exact(value, needs);
        }
        // Not every text is the name of an atom.
        needs.extend(facts);
        Meaning { value, needs, enough: None }
    }

    /// An atom of this program.
    pub fn atom(&mut self, atom: Atom) -> String {
        self.literal(&Term::atom(atom))
    }

    /// The fact that a term is one of the booleans.
    pub fn boolean(&mut self, value: &str) -> String {
        let [yes, no] = [term::known::TRUE, term::known::FALSE].map(|atom| self.atom(atom));
        or([format!("(= {value} {yes})"), format!("(= {value} {no})")])
    }

    /// The fact that a condition holds, all its expressions having values.
    fn condition(&mut self, condition: &Condition) -> String {
        let mut needs = Vec::new();
        let test = self.test(&condition.test, &mut needs);
        needs.push(if condition.holds { test } else { not(&test) });
        and(needs)
    }
}

/// Returns true if an operation gives neither cells nor tuples.
fn is_plain(node: &Node) -> bool {
    use Node::{Apply, Atom, Bits, Build, MapMerge, MapPut, MapRemove, Slice};
    matches!(
        node,
        Apply(..) | Atom(_) | Bits { .. } | Build { .. } | MapMerge(..) | MapPut(..) | MapRemove(..) | Slice { .. }
    )
}

/// The name of an input.
pub fn input(at: usize) -> String {
    format!("in{at}")
}

/// The proper list of these terms.
pub fn list(items: &[String]) -> String {
    items.iter().rev().fold(String::from("mknil"), |tail, head| format!("(mkcons {head} {tail})"))
}
