//! The meaning of operations as data. Symbolic runs read a rule forwards, backward search reads it from its result, the
//! linker chooses instructions by it and the lowering of guards its tests.

use std::sync::LazyLock;

use constraint::{FloatOp, Op, Type};
use ir::ProcessOp;
use rustc_hash::FxHashMap;
use term::math::Math;
use term::{Atom, Mfa};

/// The meaning of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Nothing describes it: its value is an application of it, or its arguments are held to their values.
    None,
    /// Arithmetic on two operands; sums and products take floats, too.
    Arith(Op),
    /// The same on one operand.
    Unary(Op),
    /// `+X`, which gives numbers back as they are.
    Plus,
    /// `/`
    Divide,
    /// A number as a float.
    Float,
    /// A number as an integer.
    Integer(FloatOp),
    Math(Math),
    /// A float of the integers that its text has.
    Decimal,
    /// The digits of a float as an integer, so many of them behind the point.
    Scaled,
    /// Something of the shortest decimal of a float.
    Shortest(FloatOp),
    Relation(Relation),
    Type(Type),
    Boolean(Boolean),
    /// `is_function/2`
    IsFunction,
    /// `is_record/2`, `is_record/3`
    IsRecord,
    FunInfo,
    Head,
    Tail,
    Element,
    /// A size that is a term for solvers, of a value of this type.
    Size(Op, Type),
    /// The size of a tuple or a bitstring.
    SizeOfEither,
    /// The first argument is a size.
    Sized,
    /// The spine of the first argument is walked.
    OpenList,
    /// The elements of the tuple at this argument are moved. The argument before it, if there is one, is a position: of
    /// an element, or one of so many behind the last.
    OpenTuple(u8, u8),
    Map(MapOp),
    /// All entries of the map at this argument are listed.
    OpenMap(u8),
    /// The name of an atom.
    Name,
    /// The atom of a text that was asked about.
    Named,
    /// An atom of a text, if there is one: that depends on the code that was loaded.
    Existing,
    /// True of a list of characters.
    IsText,
    /// The second argument is held to its value, for the function that the first one names.
    Hold,
    /// The same, for a function that depends on more than it is given.
    Foreign,
    /// A pattern of binaries that were asked about is compiled.
    Compiled,
    /// The binaries that a compiled pattern was made of.
    Needles,
    Dictionary(DictionaryOp),
    Control(Control),
    /// Something that processes do to each other.
    Process(ProcessOp),
    /// Something that a process of the system does; the prelude has a version for runs with processes of their own.
    Service,
    Ets(EtsOp),
    /// Something that is done with an array of atomics or counters.
    Array(ArrayOp, ArrayKind),
    Persistent(PersistentOp),
    /// A name that is new in each run.
    Fresh(Fresh),
    /// An integer that is another in each run.
    Number(Number),
}

/// A comparison that gives a boolean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    Same,
    NotSame,
}

/// The elementary comparison in a [`Relation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `=:=`
    Same,
    /// `==`
    Equal,
    /// `<`
    Less,
}

impl Relation {
    /// Returns the elementary comparison, whether its operands are exchanged, and the answer for which the relation holds.
    pub fn parts(self) -> (Comparison, bool, bool) {
        match self {
            Relation::Less => (Comparison::Less, false, true),
            Relation::Greater => (Comparison::Less, true, true),
            Relation::GreaterOrEqual => (Comparison::Less, false, false),
            Relation::LessOrEqual => (Comparison::Less, true, false),
            Relation::Equal => (Comparison::Equal, false, true),
            Relation::NotEqual => (Comparison::Equal, false, false),
            Relation::Same => (Comparison::Same, false, true),
            Relation::NotSame => (Comparison::Same, false, false),
        }
    }
}

/// An operator of truth values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Boolean {
    Not,
    And,
    Or,
    Xor,
}

/// An operation that looks into a map or makes one of others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MapOp {
    /// Key and map.
    Get,
    /// Key and map.
    HasKey,
    /// Key, value and map.
    Put,
    /// The same; the key must be there.
    Update,
    /// Key and map.
    Remove,
    Merge,
}

/// An operation on the process dictionary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DictionaryOp {
    Get,
    Put,
    Erase,
    GetKeys,
}

/// A name that no program can distinguish from others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fresh {
    /// The pid of the run's own process.
    Pid,
    Reference,
}

/// An integer of which only some facts are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// One that no other call with the same modifiers gives.
    Unique,
    /// A size of the system, if the argument names one.
    OfSystem,
}

/// An operation on arrays of integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayOp {
    New,
    Add,
    AddGet,
    CompareExchange,
    Exchange,
    Get,
    Info,
    Put,
}

/// The kind of an array of integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayKind {
    Atomics,
    /// Counters with the option `write_concurrency`; the others are atomics.
    Counters,
}

/// An operation on persistent terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PersistentOp {
    All,
    Erase,
    Get,
    Put,
}

/// Something that only the machine itself can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    ApplyFun,
    ApplyNamed,
    Error,
    Exit,
    Throw,
    Raise,
    NifError,
    FunctionExported,
    MakeFun,
}

/// An operation on tables of ETS.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EtsOp {
    New,
    /// Every table there is.
    All,
    /// A match specification is compiled.
    Compile,
    /// Recognises compiled match specifications.
    IsCompiled,
    /// A compiled match specification is run on a list.
    RunCompiled,
    Delete,
    DeleteAll,
    DeleteObject,
    First,
    GiveAway,
    Info,
    Insert,
    InsertNew,
    Last,
    /// All rows, as a list.
    List,
    Lookup,
    LookupElement,
    Match,
    MatchObject,
    Member,
    Next,
    /// Goes on where a search stopped.
    Continue,
    Prev,
    Rename,
    SafeFixtable,
    Select,
    SelectCount,
    SelectDelete,
    SelectReplace,
    SelectReverse,
    SetOptions,
    Slot,
    Take,
    UpdateCounter,
    UpdateElement,
    Whereis,
    /// Looks into tables in a way of its own.
    Raw,
}

impl EtsOp {
    /// Returns true if it leaves a table as it is.
    pub fn reads(self) -> bool {
        use EtsOp::{Info, Match, MatchObject, Select, SelectCount, SelectReverse};
        matches!(self, Info | Match | MatchObject | Select | SelectCount | SelectReverse)
    }

    /// Returns true if it may look into a table, or change it.
    pub fn reaches_tables(self) -> bool {
        !matches!(self, EtsOp::New | EtsOp::All | EtsOp::Compile | EtsOp::IsCompiled | EtsOp::RunCompiled)
    }
}

impl Rule {
    /// Returns true if it is a call in the VM, unlike all other functions of `erlang`: the caller leaves the stack, and
    /// the stack trace, before what it was given runs.
    pub fn is_call(self) -> bool {
        matches!(self, Rule::Control(Control::ApplyFun | Control::ApplyNamed) | Rule::Process(ProcessOp::Hibernate))
    }

    /// Returns true if the machine has an instruction for an operation of `erlang` with this rule.
    pub fn has_instruction(self) -> bool {
        match self {
            Rule::Arith(_) | Rule::Relation(_) | Rule::Type(_) => true,
            Rule::Head | Rule::Tail | Rule::Element => true,
            Rule::Size(op, _) => op == Op::TupleSize,
            Rule::Map(op) => op == MapOp::Get,
            _ => false,
        }
    }

    /// Returns the first function with this rule, as one of that many arguments.
    pub fn function(self, arity: usize) -> Mfa {
        static NAMES: LazyLock<FxHashMap<Rule, (Atom, Atom)>> = LazyLock::new(|| {
            let mut names = FxHashMap::default();
            for operation in crate::all() {
                names.entry(operation.rule).or_insert((Atom::new(operation.module), Atom::new(operation.name)));
            }
            names
        });
        let (module, function) = NAMES[&self];
        Mfa { module, function, arity: arity as u8 }
    }
}
