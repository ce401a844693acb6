//! The end of a table's owner: the table goes to its heir, or with the owner.

use term::Term;

use crate::forward::machine::node::{Index, Node, Object, RefKey};

impl Node {
    /// True if a process has tables.
    pub fn has_tables(&self, index: Index) -> bool {
        !self.tables.owned_by(self.processes[index].number).is_empty()
    }

    /// True if a process that comes to its end has tables.
    pub fn releases_tables(&mut self, index: Index) -> bool {
        self.touch(Object::TablesOf(self.processes[index].number), false);
        self.has_tables(index)
    }

    /// Leaves the tables of a process that ends to their heirs.
    pub fn leave_tables(&mut self, index: Index) {
        let number = self.processes[index].number;
        for key in self.tables.unfix(number) {
            self.touch(Object::Table(key), true);
        }
        for key in self.tables.owned_by(number) {
            self.touch(Object::Table(key), true);
            let heir = self.tables.get(key).and_then(|table| table.heir.clone());
            let to = heir.as_ref().and_then(|(pid, _)| self.find(pid));
            if let Some(to) = to {
                let heirs_number = self.processes[to].number;
                self.touch(Object::Life(heirs_number), false);
            }
            // One that is its own heir leaves it to none.
            match (to.filter(|to| *to != index && self.is_alive(*to)), heir) {
                (Some(to), Some((_, data))) => self.transfer(key, index, to, data),
                _ => self.delete_table(key),
            }
        }
    }

    /// Gives a table to another process and sends it word of that.
    pub fn transfer(&mut self, key: RefKey, from: Index, to: Index, data: Term) {
        let number = self.processes[to].number;
        self.tables.give(key, number);
        let Some(table) = self.tables.get(key) else { return };
        let pid = self.processes[from].pid.clone();
        let message = Term::tuple([Term::atom_named("ETS-TRANSFER"), table.id(), pid, data]);
        self.touch(Object::TablesOf(number), true);
        self.send(from, to, message);
    }

    fn delete_table(&mut self, key: RefKey) {
        self.touch(Object::Tables, false);
        let Some(table) = self.tables.delete(key) else { return };
        if table.named {
            self.touch(Object::TableName(table.name), true);
        }
        self.gone_tables.push(table.tid);
    }
}
