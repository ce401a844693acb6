//! A model of the encoding read back as inputs.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use term::{Atom, BitsBuilder, Map, Row, Table, Term};

use crate::commands::Commands;
use crate::encode::{ClaimEncoder, input};

/// Terms whose values are asked for at most.
const MOST: usize = 1500;
/// The largest bitstring that is read back.
const MOST_BITS: i64 = 1 << 16;
/// The nesting of terms that is followed.
const DEEPEST: usize = 200;

/// A claim in the script, and the terms that inputs are read from.
pub struct EncodedClaim {
    script: Commands,
    inputs: usize,
    atoms: Vec<(Atom, BigRational)>,
    numbered: Vec<Term>,
    chunk: u32,
    uses: Vec<Use>,
}

/// A fact about the model that a term may need.
enum Use {
    /// A key of a map: map, key, has, get.
    Key([String; 4]),
    /// A bitstring and its size.
    Size([String; 2]),
    /// A chunk: bitstring, place, number.
    Chunk([String; 3]),
    /// A call: the result, the fun, the arguments.
    Call(Vec<String>),
}

impl Use {
    fn terms(&self) -> &[String] {
        match self {
            Use::Key(terms) => terms,
            Use::Size(terms) => terms,
            Use::Chunk(terms) => terms,
            Use::Call(terms) => terms,
        }
    }
}

impl EncodedClaim {
    /// The finished script of an encoder.
    pub fn new(encoder: ClaimEncoder<'_>) -> EncodedClaim {
        let mut uses = Vec::new();
        for map in &encoder.maps.maps {
            let key = |key: &String| {
                Use::Key([map.clone(), key.clone(), format!("(has {map} {key})"), format!("(get {map} {key})")])
            };
            uses.extend(encoder.maps.keys.iter().map(key));
        }
        uses.extend(encoder.bits.terms().iter().map(|bits| Use::Size([bits.clone(), format!("(bits {bits})")])));
        for (of, at) in &encoder.bits.chunks {
            let at = at.text();
            uses.push(Use::Chunk([of.clone(), at.clone(), format!("(chunk {of} {at})")]));
        }
        for (fun, args, value) in &encoder.results {
            uses.push(Use::Call([value, fun].into_iter().chain(args).cloned().collect()));
        }
        let chunk = encoder.bits.width();
        let numbered = encoder.literals.numbered.into_iter().map(|(term, _)| term).collect();
        let (script, atoms, inputs) = (encoder.script, encoder.literals.atoms, encoder.claim.inputs.len());
        EncodedClaim { script, inputs, atoms, numbered, chunk, uses }
    }

    /// The commands that ask for a model.
    pub fn question(&self, rlimit: u64) -> String {
        self.script.question(rlimit)
    }

    /// The terms whose values are asked for.
    fn terms(&self) -> impl Iterator<Item = String> {
        let inputs = (0..self.inputs).map(input);
        inputs.chain(self.uses.iter().flat_map(|it| it.terms().iter().cloned())).take(MOST).chain(["mknil".to_owned()])
    }

    /// The command that asks for the values of a model.
    pub fn values(&self) -> String {
        format!("(get-value ({}))\n", self.terms().collect::<Vec<_>>().join(" "))
    }

    /// The inputs of a model; nothing if it has values that no term has.
    pub fn read(&self, text: &str) -> Option<Vec<Term>> {
        let Sexp::List(pairs) = Sexp::read(text)? else { return None };
        let mut values = pairs.into_iter().map(|pair| match pair {
            Sexp::List(mut pair) => pair.pop(),
            Sexp::Word(_) => None,
        });
        let inputs = values.by_ref().take(self.inputs).collect::<Option<Vec<Sexp>>>()?;
        let mut model = Model { encoding: self, keys: FxHashMap::default(), ..Model::empty(self) };
        for it in &self.uses {
            let some: Vec<Sexp> = values.by_ref().take(it.terms().len()).flatten().collect();
            if some.len() == it.terms().len() {
                model.add(it, some);
            }
        }
        inputs.iter().map(|input| model.term(input, DEEPEST)).collect()
    }
}

/// The values of a model.
struct Model<'a> {
    encoding: &'a EncodedClaim,
    /// By the number of a map, keys and their values.
    keys: FxHashMap<BigInt, Vec<(Sexp, Sexp)>>,
    sizes: FxHashMap<BigInt, i64>,
    chunks: FxHashMap<BigInt, Vec<(i64, BigInt)>>,
    /// By the number of a fun, arguments and result.
    calls: FxHashMap<BigInt, Vec<(Vec<Sexp>, Sexp)>>,
}

impl Model<'_> {
    fn empty(encoding: &EncodedClaim) -> Model<'_> {
        let (keys, sizes) = (FxHashMap::default(), FxHashMap::default());
        Model { encoding, keys, sizes, chunks: FxHashMap::default(), calls: FxHashMap::default() }
    }

    fn add(&mut self, it: &Use, mut values: Vec<Sexp>) -> Option<()> {
        let number = |value: &Sexp| value.made()?.1.first()?.integer();
        match it {
            Use::Key(_) => {
                let map = number(&values[0])?;
                if values[2].word() == Some("true") {
                    let value = values.pop()?;
                    self.keys.entry(map).or_default().push((values.swap_remove(1), value));
                }
            }
            Use::Size(_) => _ = self.sizes.insert(number(&values[0])?, values[1].integer()?.to_i64()?),
            Use::Chunk(_) => {
                let chunk = (values[1].integer()?.to_i64()?, values[2].integer()?);
                self.chunks.entry(number(&values[0])?).or_default().push(chunk);
            }
            Use::Call(_) => {
                let (result, fun) = (values.remove(0), number(&values.remove(0))?);
                self.calls.entry(fun).or_default().push((values, result));
            }
        }
        Some(())
    }

    fn term(&self, value: &Sexp, deep: usize) -> Option<Term> {
        let deep = deep.checked_sub(1)?;
        let (maker, parts) = value.made()?;
        let number = || parts.first().and_then(Sexp::integer);
        let constant = |number: &BigInt, maker: &dyn Fn(&Term) -> bool| {
            let at = number.to_usize()?;
            self.encoding.numbered.get(at).filter(|term| maker(term)).cloned()
        };
        Some(match maker {
            "mkint" => Term::big(number()?),
            "mkflt" => Term::float(parts.first()?.rational()?.to_f64().filter(|value| value.is_finite())?),
            "mkatm" => Term::atom(self.atom(&parts.first()?.rational()?)),
            "mknil" => Term::nil(),
            "mkcons" => Term::cons(self.term(&parts[0], deep)?, self.term(parts.get(1)?, deep)?),
            "mktup" => Term::tuple(self.term(&parts[0], deep)?.proper_list()?),
            "mkmap" => {
                let number = number()?;
                constant(&number, &|term| term.as_map().is_some()).or_else(|| self.map(&number, deep))?
            }
            "mkbin" => {
                let number = number()?;
                constant(&number, &|term| term.as_bits().is_some()).or_else(|| self.bits(&number))?
            }
            "mkfun" => self.fun(&number()?, parts.get(1)?.integer()?.to_u8()?, deep)?,
            _ => constant(&number()?, &|term| matches!(term, Term::Handle(..)))?,
        })
    }

    /// The constant atom at that place in the order of names, or one that is behind the constant before it.
    fn atom(&self, place: &BigRational) -> Atom {
        let atoms = &self.encoding.atoms;
        match atoms.binary_search_by(|(_, known)| known.cmp(place)) {
            Ok(at) => atoms[at].0,
            Err(0) => Atom::new(&format!("A{place}")),
            Err(at) => Atom::new(&format!("{} {place}", atoms[at - 1].0.name())),
        }
    }

    fn map(&self, number: &BigInt, deep: usize) -> Option<Term> {
        let mut map = Map::new();
        for (key, value) in self.keys.get(number).into_iter().flatten() {
            map.insert_mut(self.term(key, deep)?, self.term(value, deep)?);
        }
        Some(Term::map(map))
    }

    fn bits(&self, number: &BigInt) -> Option<Term> {
        let size = self.sizes.get(number).copied().unwrap_or(0);
        if !(0..=MOST_BITS).contains(&size) {
            return None;
        }
        let width = i64::from(self.encoding.chunk);
        let mut all = BigInt::zero();
        for (at, chunk) in self.chunks.get(number).into_iter().flatten() {
            let behind = size - at - width;
            if *at >= 0 && behind >= 0 {
                all |= chunk << behind.to_usize()?;
            }
        }
        let mut builder = BitsBuilder::new();
        builder.push_bigint(&all, size.to_usize()?, false);
        Some(Term::bits(builder.finish()))
    }

    /// A table of the calls that occur; for others it gives what it gives for one of them.
    fn fun(&self, number: &BigInt, arity: u8, deep: usize) -> Option<Term> {
        let mut rows = Vec::new();
        for (args, result) in self.calls.get(number).into_iter().flatten().filter(|it| it.0.len() == usize::from(arity))
        {
            let args = args.iter().map(|arg| self.term(arg, deep)).collect::<Option<Vec<Term>>>()?;
            rows.push(Row { args: args.into(), result: self.term(result, deep)? });
        }
        let default = rows.first().map_or_else(|| Term::int(0), |row| row.result.clone());
        Table::new(arity, rows, default).map(Term::table)
    }
}

/// A word, or a list of such.
#[derive(Clone, Debug)]
enum Sexp {
    Word(String),
    List(Vec<Sexp>),
}

impl Sexp {
    fn read(text: &str) -> Option<Sexp> {
        let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        for word in spaced.split_ascii_whitespace() {
            match word {
                "(" => open.push(Vec::new()),
                ")" => {
                    let done = open.pop()?;
                    open.last_mut()?.push(Sexp::List(done));
                }
                word => open.last_mut()?.push(Sexp::Word(word.to_owned())),
            }
        }
        match (open.pop()?, open.is_empty()) {
            (mut all, true) if all.len() == 1 => all.pop(),
            _ => None,
        }
    }

    fn word(&self) -> Option<&str> {
        match self {
            Sexp::Word(word) => Some(word),
            Sexp::List(_) => None,
        }
    }

    /// The maker of a term, and what it is made of.
    fn made(&self) -> Option<(&str, &[Sexp])> {
        match self {
            Sexp::Word(word) => Some((word, &[])),
            Sexp::List(parts) => parts.split_first().and_then(|(maker, parts)| Some((maker.word()?, parts))),
        }
    }

    fn integer(&self) -> Option<BigInt> {
        self.rational().filter(BigRational::is_integer).map(|value| value.to_integer())
    }

    fn rational(&self) -> Option<BigRational> {
        match self.made()? {
            ("-", [value]) => value.rational().map(|value| -value),
            ("/", [over, under]) => {
                let under = under.rational().filter(|under| !under.is_zero())?;
                Some(over.rational()? / under)
            }
            (word, []) => word.strip_suffix(".0").unwrap_or(word).parse().ok().map(BigRational::from_integer),
            _ => None,
        }
    }
}
