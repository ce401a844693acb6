//! Public items have a doc comment that states a fact.

use syn::{Attribute, Expr, ExprLit, ImplItem, Item, Lit, Meta, TraitItem, Visibility};

use crate::source::{Source, product};

/// Of a hundred public items, so many may lack a doc comment.
const UNDOCUMENTED: usize = 5;

#[test]
fn public_items_are_documented() {
    let all: usize = product().iter().map(|source| source.items.len()).sum();
    assert!(all > 2_000, "only {all} public items");
    let lacks = |source: &'static Source| {
        source.items.iter().filter(|item| item.doc.is_none()).map(|it| format!("{}: {}", source.at(it.line), it.name))
    };
    let lacking: Vec<String> = product().iter().flat_map(lacks).collect();
    println!("{} of {all} public items lack a doc comment", lacking.len());
    assert!(lacking.len() * 100 <= all * UNDOCUMENTED, "{} of {all} lack a doc comment: {lacking:#?}", lacking.len());
}

/// A public function, type, trait, constant or method.
pub struct Public {
    pub name: String,
    pub line: usize,
    pub is_type: bool,
    pub doc: Option<String>,
}

/// The public items of a file.
pub fn public_items(file: &syn::File) -> Vec<Public> {
    let mut found = PublicItems(Vec::new());
    found.add_all(&file.items);
    found.0
}

struct PublicItems(Vec<Public>);

impl PublicItems {
    fn add_all(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Const(it) if is_public(&it.vis) => self.add(&it.ident, false, &it.attrs),
                Item::Static(it) if is_public(&it.vis) => self.add(&it.ident, false, &it.attrs),
                Item::Fn(it) if is_public(&it.vis) => self.add(&it.sig.ident, false, &it.attrs),
                Item::Struct(it) if is_public(&it.vis) => self.add(&it.ident, true, &it.attrs),
                Item::Enum(it) if is_public(&it.vis) => self.add(&it.ident, true, &it.attrs),
                Item::Union(it) if is_public(&it.vis) => self.add(&it.ident, true, &it.attrs),
                Item::Type(it) if is_public(&it.vis) => self.add(&it.ident, true, &it.attrs),
                Item::Trait(it) if is_public(&it.vis) => {
                    self.add(&it.ident, true, &it.attrs);
                    it.items.iter().for_each(|part| self.add_trait_item(part));
                }
                Item::Impl(it) if it.trait_.is_none() => it.items.iter().for_each(|part| self.add_method(part)),
                Item::Mod(it) => it.content.iter().for_each(|(_, items)| self.add_all(items)),
                _ => {}
            }
        }
    }

    fn add_method(&mut self, item: &ImplItem) {
        match item {
            ImplItem::Fn(it) if is_public(&it.vis) => self.add(&it.sig.ident, false, &it.attrs),
            ImplItem::Const(it) if is_public(&it.vis) => self.add(&it.ident, false, &it.attrs),
            _ => {}
        }
    }

    fn add_trait_item(&mut self, item: &TraitItem) {
        match item {
            TraitItem::Fn(it) => self.add(&it.sig.ident, false, &it.attrs),
            TraitItem::Const(it) => self.add(&it.ident, false, &it.attrs),
            TraitItem::Type(it) => self.add(&it.ident, false, &it.attrs),
            _ => {}
        }
    }

    fn add(&mut self, name: &syn::Ident, is_type: bool, attributes: &[Attribute]) {
        let (name, line) = (name.to_string(), name.span().start().line);
        self.0.push(Public { name, line, is_type, doc: attributes.iter().find_map(doc_line) });
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The text of one line of a doc comment.
fn doc_line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    match &pair.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if pair.path.is_ident("doc") => Some(text.value()),
        _ => None,
    }
}
