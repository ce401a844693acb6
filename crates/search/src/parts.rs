//! The parts of a value, and the paths to them.

use term::Term;

/// The path to a part of a value: at each node the number of the child.
pub type PartPath = Vec<usize>;

/// The elements of a list or tuple, the values of a map.
pub fn children(term: &Term) -> Vec<&Term> {
    match term {
        Term::Cons(..) => term.cells().collect(),
        Term::Tuple(_, items) => items.iter().collect(),
        Term::Map(_, map) => map.values().collect(),
        _ => Vec::new(),
    }
}

/// The part at the end of a way.
pub fn part<'t>(term: &'t Term, way: &[usize]) -> &'t Term {
    way.iter().fold(term, |term, child| match term {
        Term::Cons(..) => term.cells().nth(*child).unwrap_or(term),
        Term::Tuple(_, items) => &items[*child],
        Term::Map(_, map) => map.values().nth(*child).unwrap_or(term),
        other => other,
    })
}

/// The value with another part at the end of a way.
pub fn replaced(term: &Term, way: &[usize], new: Term) -> Term {
    let nodes: Vec<&Term> = (0..way.len()).map(|end| part(term, &way[..end])).collect();
    nodes.into_iter().zip(way).rev().fold(new, |new, (node, child)| with_child(node, *child, new))
}

/// The value with another child.
pub fn with_child(term: &Term, child: usize, new: Term) -> Term {
    match term {
        Term::Cons(..) => {
            let (mut items, tail) = elements(term);
            items[child] = new;
            Term::list_with_tail(items, tail)
        }
        Term::Tuple(_, items) => {
            let mut items = items.to_vec();
            items[child] = new;
            Term::tuple(items)
        }
        Term::Map(_, map) => match map.keys().nth(child) {
            Some(key) => Term::map(map.insert(key.clone(), new)),
            None => term.clone(),
        },
        other => other.clone(),
    }
}

/// The elements of a list, and what follows the last.
pub fn elements(list: &Term) -> (Vec<Term>, Term) {
    let mut cells = list.cells();
    let items = cells.by_ref().cloned().collect();
    (items, cells.rest().clone())
}

/// The number of parts of values, a byte of a bitstring being one; nothing if there are more than so many: parts that
/// are shared may be more than can be counted.
pub fn count(terms: &[Term], most: usize) -> Option<usize> {
    let mut count = 0;
    let mut todo: Vec<&Term> = terms.iter().collect();
    while let Some(term) = todo.pop() {
        count += 1;
        match term {
            Term::Cons(_, cell) => todo.extend([&cell.head, &cell.tail]),
            Term::Tuple(_, items) => todo.extend(items.iter()),
            Term::Map(_, map) => todo.extend(map.iter().flat_map(|(key, value)| [key, value])),
            Term::Bits(_, bits) => count += bits.byte_len(),
            _ => {}
        }
        if count > most {
            return None;
        }
    }
    Some(count)
}

/// The ways to the parts of a value, itself first, and breadth first: at most about so many. Of a long list, some.
pub fn ways(term: &Term, most: usize) -> Vec<PartPath> {
    let mut found: Vec<(&Term, PartPath)> = vec![(term, Vec::new())];
    let mut at = 0;
    while at < found.len() && found.len() < most {
        let (term, way) = &found[at];
        if way.len() < MOST_WAY {
            let children = children(term);
            let step = (children.len() / MOST_CHILDREN).max(1);
            let below = children.into_iter().enumerate().step_by(step);
            let below: Vec<(&Term, PartPath)> =
                below.map(|(child, term)| (term, [&way[..], &[child]].concat())).collect();
            found.extend(below);
        }
        at += 1;
    }
    found.into_iter().map(|(_, way)| way).collect()
}

/// The longest way that is given, and the children of one node.
const MOST_WAY: usize = 64;
const MOST_CHILDREN: usize = 64;

/// The way to the deepest part.
pub fn deepest(term: &Term) -> PartPath {
    // Each node with the number of its parent, and its number as a child.
    let mut nodes: Vec<(&Term, usize, usize)> = vec![(term, 0, 0)];
    let mut at = 0;
    while at < nodes.len() {
        let below = children(nodes[at].0).into_iter().enumerate();
        let below: Vec<(&Term, usize, usize)> = below.map(|(child, term)| (term, at, child)).collect();
        nodes.extend(below);
        at += 1;
    }
    // Breadth first: the last node is as deep as any.
    let (mut way, mut at) = (Vec::new(), nodes.len() - 1);
    while at > 0 {
        let (_, above, child) = nodes[at];
        way.push(child);
        at = above;
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_leads_to_a_part_that_can_be_replaced() {
        let term = Term::read("{a, [1, #{k => {b}}, 3], 4}").unwrap_or_else(|e| panic!("{e}"));
        let way = deepest(&term);
        assert_eq!((part(&term, &way).to_string(), way.len()), ("b".to_owned(), 4));
        assert!(ways(&term, 100).contains(&way));
        let new = replaced(&term, &way, Term::int(7));
        assert_eq!(new.to_string(), "{a,[1,#{k => {7}},3],4}");
        assert_eq!(replaced(&term, &[], Term::int(7)), Term::int(7));
    }
}
