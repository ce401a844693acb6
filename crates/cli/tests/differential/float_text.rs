//! Floats as text: what the prelude writes and reads, held to the operations on floats and texts of every form.

use term::{Atom, Call, Term};

use crate::rig::Rig;

const OPTIONS: [&str; 22] = [
    "[]",
    "[short]",
    "[compact]",
    "[{decimals, 0}]",
    "[{decimals, 0}, compact]",
    "[{decimals, 1}]",
    "[{decimals, 2}]",
    "[{decimals, 2}, compact]",
    "[compact, {decimals, 4}]",
    "[{decimals, 18}]",
    "[{decimals, 19}, compact]",
    "[{decimals, 200}]",
    "[{decimals, 253}]",
    "[{scientific, 0}]",
    "[{scientific, 3}]",
    "[{scientific, 17}]",
    "[{scientific, 60}]",
    "[{scientific, -1}]",
    "[short, {decimals, 3}]",
    "[{decimals, 3}, short]",
    "[{decimals, -3}]",
    "[{decimals, 3} | a]",
];

fn floats(random: &mut fastrand::Rng) -> Vec<f64> {
    let mut all = vec![
        0.0,
        -0.0,
        0.05,
        0.5,
        1.5,
        2.5,
        0.125,
        1.005,
        2.675,
        9.995,
        99.999,
        999_999.999_999,
        9_007_199_254_740_991.0,
        9_007_199_254_740_992.0,
        9_007_199_254_740_994.0,
        1e15,
        1e16,
        1e21,
        1e22,
        1e23,
        123_456_789.125,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        5e-324,
        9.5e-7,
        5.684_341_886_080_801e-14,
        5.684_341_886_080_802e-14,
    ];
    all.extend((-60..60).map(|power| f64::from(power).exp2()));
    for _ in 0..150 {
        all.push(f64::from(random.i32(-100_000..100_000)) / 1000.0);
        all.push(random.f64() * 10f64.powi(random.i32(-12..25)));
        all.extend(Some(f64::from_bits(random.u64(..))).filter(|value| value.is_finite()));
    }
    let minus: Vec<f64> = all.iter().step_by(3).map(|value| -value).collect();
    all.extend(minus);
    all
}

/// Texts that are floats, nearly.
fn texts(random: &mut fastrand::Rng) -> Vec<String> {
    let mut all: Vec<String> = floats(random).iter().map(|value| term::float_text(*value)).collect();
    let parts =
        ["", "+", "-", "0", "1", "75", "9", "00", ".", ",", "e", "E", "e-", "e+", "400", "17", " ", "kg", "\0", "é"];
    for _ in 0..3000 {
        let count = random.usize(0..8);
        all.push((0..count).map(|_| parts[random.usize(0..parts.len())]).collect());
    }
    for _ in 0..300 {
        let digits = |random: &mut fastrand::Rng, most: usize| -> String {
            (0..random.usize(1..most)).map(|_| char::from(b'0' + random.u8(0..10))).collect()
        };
        let (whole, fraction) = (digits(random, 24), digits(random, 24));
        all.push(format!("{whole}.{fraction}"));
        all.push(format!("-{whole}.{fraction}e-{}", digits(random, 4)));
        all.push(format!("{whole}.{fraction}E{}", digits(random, 4)));
    }
    all
}

fn same(rig: &mut Rig, module: &str, own: &str, function: &str, args: Vec<Term>) {
    let call = |module: &str| Call { module: Atom::new(module), function: Atom::new(function), args: args.clone() };
    let (operation, prelude) = (rig.ours_traced(&call(module)), rig.ours_traced(&call(own)));
    assert!(
        operation.0.agrees(&prelude.0) && operation.1 == prelude.1,
        "{}\n   {} {:?}\n   {} {:?}",
        call(module),
        operation.0,
        operation.1,
        prelude.0,
        prelude.1
    );
}

#[test]
fn the_prelude_writes_floats() {
    let mut rig = Rig::new();
    let mut random = fastrand::Rng::with_seed(5);
    let options = OPTIONS.map(|text| Term::read(text).expect("a term"));
    let floats = floats(&mut random);
    assert!(floats.len() > 200, "{} floats are too few", floats.len());
    for float in floats {
        for function in ["float_to_list", "float_to_binary"] {
            same(&mut rig, "erlang", "hound_prelude_float", function, vec![Term::float(float)]);
            let chosen = if function == "float_to_list" { &options[..] } else { &options[..7] };
            for options in chosen {
                let args = vec![Term::float(float), options.clone()];
                same(&mut rig, "erlang", "hound_prelude_float", function, args);
            }
        }
    }
}

#[test]
fn the_prelude_reads_floats() {
    let mut rig = Rig::new();
    let mut random = fastrand::Rng::with_seed(6);
    let odd = [
        "[49,46,53|a]",
        "[49,46,b]",
        "[49,46,53,300]",
        "[49,46,53,[107]]",
        "[300]",
        "a",
        "<<49,46,53,255>>",
        "<<1:1>>",
    ];
    let odd = odd.map(|text| Term::read(text).expect("a term"));
    let texts = texts(&mut random);
    assert!(texts.len() > 3_000, "{} texts are too few", texts.len());
    let texts = texts.iter().flat_map(|text| [Term::string(text), Term::binary(text.as_str())]).chain(odd);
    for text in texts {
        for function in ["list_to_float", "binary_to_float"] {
            same(&mut rig, "erlang", "hound_prelude_float", function, vec![text.clone()]);
        }
        for function in ["list_to_float", "to_float"] {
            same(&mut rig, "string", "hound_prelude_string", function, vec![text.clone()]);
        }
    }
}
