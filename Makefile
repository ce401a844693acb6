# What a person types: demo, test, none, sweep, bench, compare. Each installs what is missing first.
.PHONY: all demo test none sweep bench compare setup build lint

all: demo

setup:
	@sh scripts/setup

build: setup
	@cargo build --release --package cli

# One module, shown from source to result.
demo: build
	@sh scripts/demo

lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- --deny warnings

# Formatting, lints, tidy checks and every test. SEED chooses the generated calls: make test SEED=7.
ifdef SEED
export HOUND_SEED = $(SEED)
endif
test: lint
	@sh scripts/setup test
	@sh scripts/tests
	@echo "make test: formatting, lints, tidy checks and all tests passed"

# Every unsat answer of the whole corpus and of many generated functions asked again of a second solver; takes an hour.
none: setup
	@HOUND_ALL=1 HOUND_RUNS=60 HOUND_ROUNDS=2000 HOUND_PROGRAMS=300 \
	    cargo test --package cli --test recheck -- --nocapture --test-threads 1

# All programs of the tests of which make test takes a sample: the corpus, on both engines too, crashes at depth, realistic
# modules; takes half an hour.
sweep: setup
	@sh scripts/setup test
	@HOUND_ALL=1 sh scripts/tests corpus engine long_inputs realistic

# Speed, measured: PARTS chooses some of it: make bench PARTS="paths growth".
bench: build
	@sh scripts/setup bench
	@cargo run --quiet --release --package cli --example bench -- $(PARTS)

# What another build of hound finds and this one does not, or the other way round: make compare OLD=path/to/hound.
compare: build
	@sh scripts/compare $(OLD) target/release/hound $(PARTS)
