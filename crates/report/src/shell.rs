//! Words of a command line, quoted for the shell.

/// Returns a word that a shell reads as this text: as it is, or in single quotes.
pub fn shell_word(text: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "_-./,:=@%+".contains(char);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_interpret_is_quoted() {
        assert_eq!(shell_word("src/bank-2.erl"), "src/bank-2.erl");
        assert_eq!(shell_word("0,1,t,0"), "0,1,t,0");
        assert_eq!(shell_word("0,0>1,1"), "'0,0>1,1'");
        assert_eq!(shell_word("my bank.erl"), "'my bank.erl'");
        assert_eq!(shell_word("~/bank.erl"), "'~/bank.erl'");
        assert_eq!(shell_word("m:'a b'($x)"), "'m:'\\''a b'\\''($x)'");
        assert_eq!(shell_word(""), "''");
    }
}
