//! Maps: which of the keys that occur they have, with which values, and how many keys in all.

use constraint::{Expr, Node};
use term::Term;

use crate::commands::{and, implies, or, small};
use crate::encode::{ClaimEncoder, Meaning};

/// Keys and maps that facts are stated about.
const MOST_KEYS: usize = 24;
const MOST_MAPS: usize = 48;

/// The maps and keys that occur.
#[derive(Default)]
pub struct MapUses {
    /// Terms that are used as maps.
    pub maps: Vec<String>,
    /// Terms that are used as keys.
    pub keys: Vec<String>,
    /// A map, the place of a key in its order, and the key.
    places: Vec<(String, u32, String)>,
    made: Vec<MadeMap>,
}

/// A map made of others.
struct MadeMap {
    made: String,
    /// It is only where this holds.
    needs: String,
    of: MapOrigin,
}

enum MapOrigin {
    /// Another map but for this key.
    But(String, String),
    /// Two maps, the second of which wins.
    Both(String, String),
}

impl MapUses {
    /// Adds a term that is used as a map, and a key that it may have.
    pub fn add(&mut self, map: &str, key: Option<&str>) {
        if self.maps.len() < MOST_MAPS && !self.maps.iter().any(|known| known == map) {
            self.maps.push(map.to_owned());
        }
        key.into_iter().for_each(|key| self.add_key(key));
    }

    /// Adds a key.
    pub fn add_key(&mut self, key: &str) {
        if self.keys.len() < MOST_KEYS && !self.keys.iter().any(|known| known == key) {
            self.keys.push(key.to_owned());
        }
    }
}

impl ClaimEncoder<'_> {
    /// The meaning of an operation on maps.
    pub fn map(&mut self, node: &Node) -> Meaning {
        let mut needs = Vec::new();
        match *node {
            Node::MapValue(map, key) => {
                let parts = self.values(&[map, key], &mut needs);
                self.maps.add(&parts[0], Some(&parts[1]));
                needs.push(format!("(ismap {})", parts[0]));
                needs.push(format!("(has {} {})", parts[0], parts[1]));
                Meaning::exact(format!("(get {} {})", parts[0], parts[1]), needs)
            }
            Node::MapKey(map, at) => {
                let map = self.values(&[map], &mut needs).remove(0);
                needs.push(format!("(ismap {map})"));
                needs.push(format!("(> (size {map}) {at})"));
                let function = format!("key{at}");
                self.script.function(&function, "T", 1);
                let key = self.named(&format!("({function} {map})"));
                self.maps.add(&map, Some(&key));
                self.maps.places.push((map.clone(), at, key.clone()));
                self.script.assert_if(&and(&needs), &format!("(has {map} {key})"));
                Meaning::exact(key, needs)
            }
            Node::MapPut(map, key, value) => self.changed(map, key, Some(value)),
            Node::MapRemove(map, key) => self.changed(map, key, None),
            Node::MapMerge(first, second) => self.merged(first, second),
            _ => Meaning { value: self.script.declare("T"), needs, enough: None },
        }
    }

    /// A map with a key put in or left out.
    fn changed(&mut self, map: Expr, key: Expr, value: Option<Expr>) -> Meaning {
        let mut needs = Vec::new();
        let parts = self.values(&[map, key], &mut needs);
        let value = value.map(|value| self.values(&[value], &mut needs).remove(0));
        let (map, key) = (&parts[0], &parts[1]);
        needs.push(format!("(ismap {map})"));
        let made = self.script.declare("T");
        let (own, [present, absent]) = match &value {
            Some(value) => (format!("(and (has {made} {key}) (= (get {made} {key}) {value}))"), [0, 1]),
            None => (format!("(not (has {made} {key}))"), [-1, 0]),
        };
        let more = format!("(ite (has {map} {key}) {} {})", small(present), small(absent));
        let size = format!("(= (size {made}) (+ (size {map}) {more}))");
        self.maps.add(map, Some(key));
        self.make(made, needs, &and([own, size]), MapOrigin::But(map.clone(), key.clone()))
    }

    fn merged(&mut self, first: Expr, second: Expr) -> Meaning {
        let mut needs = Vec::new();
        let parts = self.values(&[first, second], &mut needs);
        let (first, second) = (&parts[0], &parts[1]);
        needs.extend(parts.iter().map(|map| format!("(ismap {map})")));
        let made = self.script.declare("T");
        let (one, other, all) = (format!("(size {first})"), format!("(size {second})"), format!("(size {made})"));
        let size = format!("(and (<= {one} {all}) (<= {other} {all} (+ {one} {other})))");
        parts.iter().for_each(|map| self.maps.add(map, None));
        self.make(made, needs, &size, MapOrigin::Both(first.clone(), second.clone()))
    }

    fn make(&mut self, made: String, needs: Vec<String>, facts: &str, of: MapOrigin) -> Meaning {
        let all = and(&needs);
        self.script.assert_if(&all, &and([&*format!("(ismap {made})"), facts]));
        self.maps.add(&made, None);
        self.maps.made.push(MadeMap { made: made.clone(), needs: all, of });
        Meaning::exact(made, needs)
    }

    /// States the facts about the maps and keys that occur.
    pub fn state_maps(&mut self) {
        let constants = self.constant_maps();
        let MapUses { maps, keys, places, made } = std::mem::take(&mut self.maps);
        for (map, term) in &constants {
            self.state_constant(map, term, &keys);
        }
        for map in maps.iter().chain(constants.iter().map(|(map, _)| map)) {
            self.script.assert(&format!("(>= (size {map}) 0)"));
            for key in &keys {
                self.script.assert_if(&format!("(has {map} {key})"), &format!("(>= (size {map}) 1)"));
            }
            self.state_distinct_keys(map, &keys);
        }
        for MadeMap { made, needs, of } in &made {
            for key in &keys {
                self.script.assert_if(needs, &of.fact(made, key));
            }
        }
        self.state_places(&places, &keys);
        self.maps = MapUses { maps, keys, places, made };
    }

    /// The maps among the constants.
    fn constant_maps(&self) -> Vec<(String, Term)> {
        let numbered = self.literals.numbered.iter().filter(|(term, _)| term.as_map().is_some());
        numbered.map(|(term, text)| (text.clone(), term.clone())).collect()
    }

    fn state_constant(&mut self, map: &str, term: &Term, keys: &[String]) {
        let Some(entries) = term.as_map() else { return };
        self.script.assert(&format!("(= (size {map}) {})", entries.len()));
        if entries.len() > MOST_KEYS {
            return;
        }
        let mut known = Vec::new();
        for (key, value) in entries.iter() {
            let (key, value) = (self.literal(key), self.literal(value));
            self.script.assert(&format!("(and (has {map} {key}) (= (get {map} {key}) {value}))"));
            known.push(key);
        }
        for key in keys {
            let one_of = or(known.iter().map(|known| format!("(= {key} {known})")));
            self.script.assert(&format!("(= (has {map} {key}) {one_of})"));
        }
    }

    /// A map has at least as many keys as it has of those that differ by their form.
    fn state_distinct_keys(&mut self, map: &str, keys: &[String]) {
        let present: Vec<String> = keys
            .iter()
            .filter(|key| self.literals.term(key).is_some())
            .map(|key| format!("(ite (has {map} {key}) 1 0)"))
            .collect();
        if present.len() > 1 {
            self.script.assert(&format!("(>= (size {map}) (+ {}))", present.join(" ")));
        }
    }

    /// Keys at different places of a map stand in order; if all places are known, a key of the map is at one of them.
    fn state_places(&mut self, places: &[(String, u32, String)], keys: &[String]) {
        for (at, (map, place, key)) in places.iter().enumerate() {
            for (_, other, second) in places[..at].iter().filter(|(known, other, _)| known == map && other != place) {
                let size = format!("(> (size {map}) {})", place.max(other));
                let (low, high) = if other < place { (second, key) } else { (key, second) };
                self.script.assert_if(&size, &key_order(low, high));
            }
            let own: Vec<&String> = places.iter().filter(|it| it.0 == *map && it.1 <= *place).map(|it| &it.2).collect();
            if own.len() as u32 == place + 1 {
                for other in keys {
                    let condition = format!("(and (= (size {map}) {}) (has {map} {other}))", place + 1);
                    self.script.assert_if(&condition, &or(own.iter().map(|key| format!("(= {other} {key})"))));
                }
            }
        }
    }
}

/// The fact that one key is before another, of which parts are not looked at: integers are before floats.
fn key_order(low: &str, high: &str) -> String {
    let both = |tester: &str, value: &str| {
        format!("(=> (and ({tester} {low}) ({tester} {high})) (< ({value} {low}) ({value} {high})))")
    };
    and([
        format!("(distinct {low} {high})"),
        format!("(<= (rank {low}) (rank {high}))"),
        format!("(not (and (isflt {low}) (isint {high})))"),
        both("isint", "iv"),
        both("isflt", "fv"),
        both("isatm", "av"),
    ])
}

impl MapOrigin {
    /// What a key has to do with the map.
    fn fact(&self, made: &str, key: &str) -> String {
        let same = |map: &str| {
            format!("(and (= (has {made} {key}) (has {map} {key})) (= (get {made} {key}) (get {map} {key})))")
        };
        match self {
            MapOrigin::But(_, changed) if changed == key => String::from("true"),
            MapOrigin::But(map, changed) => implies(&format!("(distinct {key} {changed})"), &same(map)),
            MapOrigin::Both(first, second) => {
                let present = format!("(and (has {made} {key}) (= (get {made} {key}) (get {second} {key})))");
                format!("(ite (has {second} {key}) {present} {})", same(first))
            }
        }
    }
}
