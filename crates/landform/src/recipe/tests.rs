use super::*;

const START: &str = "version = 1\nseed = 7\nsize = [65, 33]\nspacing = [10.0, 20.0]\n";

fn fails(rest: &str) -> String {
    Recipe::parse(&format!("{START}{rest}")).expect_err("it is wrong").in_file("a.toml").to_string()
}

fn refused(rest: &str) -> String {
    let recipe = Recipe::parse(&format!("{START}{rest}")).expect("every value alone is right");
    recipe.resolve(&Inputs::default()).expect_err("together they are wrong").to_string()
}

#[test]
fn what_is_written_is_read_back() {
    let text = format!(
        "{START}sea_level = 3\nresolution = [129, 65]\n[[stage]]\nkind = \"uplift\"\npeaks = 3\n\
         mask = {{ kind = \"all\", of = [{{ kind = \"slope\", to = 30 }}, {{ kind = \"noise\", wavelength = 9 }}] }}\n\
         [[stage]]\nkind = \"peaks\"\nlabel = \"mine\"\nblend = \"max\"\npeaks = [[1, -2, 30.5, 400], [5, 6, 7, 8]]\n\
         [[stage]]\nkind = \"plane\"\nlayer = \"rock\"\namount = 0.5\nenabled = false\n"
    );
    let recipe = Recipe::parse(&text).unwrap();
    let written = recipe.to_toml();
    assert_eq!(Recipe::parse(&written).unwrap(), recipe, "{written}");
    assert_eq!(recipe.stages[1].label(), "mine");
}

#[test]
fn a_misspelt_parameter_is_named_with_the_nearest_right_one() {
    let message = fails("[[stage]]\nkind = \"uplift\"\npeeks = 5\n");
    assert!(
        message.starts_with("stage 1 (uplift): unknown parameter `peeks` (did you mean `peaks`?)")
    );
    assert!(message.ends_with("at a.toml:7:1"), "{message}");
}

#[test]
fn values_out_of_range_are_named_with_what_is_allowed() {
    let cases = [
        (
            "[[stage]]\nkind = \"uplift\"\npeaks = 0\n",
            "peaks is 0, but must be a whole number in 1..=1000000",
        ),
        ("[[stage]]\nkind = \"uplift\"\npeaks = 1.5\n", "peaks is 1.5, but must be a whole number"),
        (
            "[[stage]]\nkind = \"uplift\"\ny_max = nan\n",
            "y_max is NaN, but must be a number in 0..=1000000",
        ),
        ("[[stage]]\nkind = \"uplift\"\ny_max = -inf\n", "y_max is -inf, but must be"),
        (
            "[[stage]]\nkind = \"uplift\"\ncurve = \"tint\"\n",
            "curve is \"tint\" (did you mean `tent`?), but must be one of",
        ),
        (
            "[[stage]]\nkind = \"uplift\"\ndivisor = 0\n",
            "divisor is 0, but must be a number in 0.000001..=1000000000000",
        ),
        (
            "[[stage]]\nkind = \"uplyft\"\n",
            "kind is \"uplyft\" (did you mean `uplift`?), but must be one of",
        ),
        ("[[stage]]\npeaks = 4\n", "needs `kind`: one of \"uplift\""),
        (
            "[[stage]]\nkind = \"peaks\"\npeaks = [[1, 2, 3]]\n",
            "peaks[0] is a list of 3 values, but must be a list of 4",
        ),
        (
            "[[stage]]\nkind = \"plane\"\nmask = { kind = \"noise\" }\n",
            "mask needs `wavelength`: a number in 0.001..=10000000",
        ),
        (
            "[[stage]]\nkind = \"plane\"\nmask = { kind = \"nois\" }\n",
            "mask.kind is \"nois\" (did you mean `noise`?)",
        ),
        ("[[stage]]\nkind = \"plane\"\nmask = 4\n", "mask is 4, but must be a table with kind"),
        ("sea_level = \"high\"\n", "sea_level is \"high\", but must be a number in -20000..=20000"),
        ("sea_level = 1979-05-27\n", "sea_level is a date, but must be"),
        ("sise = 4\n", "unknown parameter `sise` (did you mean `size`?)"),
    ];
    for (text, expected) in cases {
        let message = fails(text);
        assert!(message.contains(expected), "{message}\nshould contain\n{expected}");
        assert!(message.contains("at a.toml:"), "{message}");
    }
}

#[test]
fn a_recipe_of_another_version_is_refused_before_anything_else_in_it() {
    let of = |version: &str| {
        format!("# mine\nversion = {version}\nsizes = [1]\n[[stage]]\nkind = \"magic\"\n")
    };
    let fails = |version: &str| Recipe::parse(&of(version)).unwrap_err().in_file("a.toml");
    let newer = fails("2").to_string();
    let why = "version is 2, but this program reads recipes up to version 1: a newer Landform wrote it, so update the program, at a.toml:2:11";
    assert_eq!(newer, why);
    assert_eq!(fails("2").parameter.as_deref(), Some("version"));
    assert!(fails("0").to_string().contains("the first is 1: write `version = 1`"));
    assert!(fails("-3").to_string().starts_with("version is -3, but there is no such version"));
    assert!(fails("\"1\"").to_string().starts_with("version is \"1\", but must be"));
    let json = serde_json::json!({ "version": 7, "what": 1 });
    assert!(Recipe::from_json(&json).unwrap_err().to_string().starts_with("version is 7, but"));
    let none = Recipe::parse("size = [1, 1]\nspacing = [1, 1]\n").unwrap_err().to_string();
    assert!(none.starts_with("needs `version`: 1"), "{none}");
}

#[test]
fn a_broken_text_is_refused_with_its_place() {
    assert!(fails("[[stage]\n").contains("at a.toml:5:"), "{}", fails("[[stage]\n"));
    let missing = Recipe::parse("version = 1\n").unwrap_err().to_string();
    assert!(missing.starts_with("needs `size`"), "{missing}");
}

#[test]
fn values_that_contradict_each_other_are_refused() {
    let cases = [
        (
            "[[stage]]\nkind = \"uplift\"\ny_min = 9\ny_max = 3\n",
            "stage 1 (uplift): y_min is 9, but must not be above `y_max`, which is 3",
        ),
        (
            "[[stage]]\nkind = \"plane\"\n[[stage]]\nkind = \"plane\"\n",
            "stage 2 (plane): has the name of another stage",
        ),
        (
            "[[stage]]\nkind = \"plane\"\nlayer = \"../up\"\n",
            "layer is \"../up\", but must be lower-case",
        ),
        (
            "[[stage]]\nkind = \"plane\"\nmask = { kind = \"height\", layer = \"rock\" }\n",
            "mask.layer is \"rock\", but the layers before it are height",
        ),
        (
            "[[stage]]\nkind = \"plane\"\nmask = { kind = \"image\", file = \"a.png\" }\n",
            "mask.file is \"a.png\", but there is no such input",
        ),
        (
            "[[stage]]\nkind = \"peaks\"\npeaks = [[0.5, 0, 1, 1]]\n",
            "peaks[0] is at 0.5, 0, but must be on grid lines",
        ),
        (
            "[[stage]]\nkind = \"peaks\"\npeaks = [[0, 0, 1, -1]]\n",
            "peaks[0] has the radius -1, but it must be above 0",
        ),
        (
            "[[stage]]\nkind = \"smooth\"\nradius = 100000\n",
            "radius is 100000, but must be at most",
        ),
        (
            "[[stage]]\nkind = \"uplift\"\nregion = { kind = \"circle\", center = [5.0, 5.0], radius = 1 }\n",
            "region has hardly any crossing",
        ),
    ];
    for (text, expected) in cases {
        let message = refused(text);
        assert!(message.contains(expected), "{message}\nshould contain\n{expected}");
    }
}

#[test]
fn setting_a_parameter_keeps_comments_and_is_checked() {
    let text = format!("{START}[[stage]]\nkind = \"uplift\" # the range\npeaks = 3 # few\n");
    let edited = set(&text, "uplift.peaks", "100").unwrap();
    assert!(edited.contains("peaks = 100 # few") && edited.contains("# the range"), "{edited}");
    let edited = set(&edited, "uplift.curve", "inverted_v").unwrap();
    assert!(edited.contains("curve = \"inverted_v\""), "{edited}");
    let edited =
        set(&edited, "uplift.region", "{ kind = \"circle\", center = [1, 2], radius = 3 }")
            .unwrap();
    let edited = set(&edited, "uplift.region.radius", "300").unwrap();
    assert!(edited.contains("radius = 300"), "{edited}");
    let error = |path, value| set(&text, path, value).unwrap_err().to_string();
    assert!(error("uplift.peaks", "-1").contains("peaks is -1, but must be"));
    assert!(error("uplist.peaks", "1").contains("names no stage (did you mean `uplift`?)"));
    assert!(error("sead", "1").contains("unknown parameter `sead` (did you mean `seed`?)"));
}

#[test]
fn another_size_is_the_same_ground() {
    let text = set_size(START, [129, 65]).unwrap();
    let recipe = Recipe::parse(&text).unwrap();
    assert_eq!(recipe.spacing, [5.0, 10.0]);
    assert_eq!(recipe.design().ground(), Recipe::parse(START).unwrap().design().ground());
}

#[test]
fn the_keys_that_stages_share_are_those_of_the_joint() {
    let joint = serde_json::to_value(schemars::schema_for!(Joint)).unwrap();
    let keys: Vec<&str> =
        joint["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, schema::joint_keys());
}

#[test]
fn json_and_toml_say_the_same() {
    let text = format!("{START}[[stage]]\nkind = \"uplift\"\npeaks = 3\n");
    let json = serde_json::json!({
        "version": 1, "seed": 7, "size": [65, 33], "spacing": [10, 20],
        "stage": [{ "kind": "uplift", "peaks": 3, "region": null }],
    });
    assert_eq!(Recipe::from_json(&json).unwrap(), Recipe::parse(&text).unwrap());
    let wrong = serde_json::json!({ "version": 1, "size": [0, 1], "spacing": [1, 1] });
    assert_eq!(
        Recipe::from_json(&wrong).unwrap_err().to_string(),
        "size[0] is 0, but must be a whole number in 1..=2000000"
    );
}

#[test]
fn every_parameter_has_a_description() {
    let (stages, shared) = catalogue();
    assert_eq!(stages.len(), Stage::KINDS.len());
    for stage in &stages {
        assert!(!stage.about.is_empty(), "{}", stage.kind);
        for parameter in stage.parameters.iter().chain(&shared) {
            assert!(!parameter.about.is_empty(), "{}.{}", stage.kind, parameter.name);
            assert!(!parameter.allowed.is_empty(), "{}.{}", stage.kind, parameter.name);
            let is_measured = parameter.quantity.is_some() || parameter.unit.is_empty();
            assert!(is_measured, "{}.{}: {}", stage.kind, parameter.name, parameter.unit);
            let all_told = parameter.choices.iter().all(|choice| !choice.about.is_empty());
            assert!(all_told, "{}.{}", stage.kind, parameter.name);
            let is_choice = parameter.value == ValueKind::Choice;
            assert_eq!(is_choice, !parameter.choices.is_empty(), "{}", parameter.name);
        }
    }
}

#[test]
fn a_parameter_tells_as_data_what_it_can_be() {
    let (stages, shared) = catalogue();
    let parameter = |kind: &str, name: &str| {
        let stage = stages.iter().find(|stage| stage.kind == kind).unwrap();
        let all = stage.parameters.iter().chain(&shared);
        all.clone().find(|parameter| parameter.name == name).unwrap()
    };
    let words = |parameter: &Parameter| {
        parameter.choices.iter().map(|choice| choice.word.clone()).collect::<Vec<_>>()
    };
    let peaks = parameter("uplift", "peaks");
    assert_eq!((peaks.value, peaks.quantity), (ValueKind::Whole, None));
    let low = parameter("levels", "low");
    assert_eq!((low.value, low.quantity), (ValueKind::Number, Some(Quantity::Length)));
    let from = parameter("river", "from");
    assert_eq!(words(from), ["auto", "north", "east", "south", "west"]);
    assert_eq!(from.choices[1].about, "z = 0.");
    let blend = parameter("uplift", "blend");
    assert_eq!((blend.value, blend.word), (ValueKind::Choice, Some("blend")));
    assert_eq!(words(blend)[..2], ["add", "multiply"]);
    let (mask, layer) = (parameter("uplift", "mask"), parameter("uplift", "layer"));
    assert_eq!((mask.value, mask.word), (ValueKind::Table, Some("mask")));
    assert_eq!((layer.value, layer.word), (ValueKind::Text, Some("layer")));
    assert_eq!(parameter("noise", "amplitude").value, ValueKind::Number);
    assert_eq!(parameter("evolve", "lift").word, Some("layer"));
}

#[test]
fn the_vocabulary_tells_all_masks_regions_and_blends() {
    let words = vocabulary();
    let kinds = |word: &str| {
        let word = words.iter().find(|one| one.word == word).unwrap();
        assert!(!word.about.is_empty(), "{}", word.word);
        assert!(word.kinds.iter().all(|kind| !kind.about.is_empty()), "{}", word.word);
        word.kinds.clone()
    };
    let mask = kinds("mask");
    assert_eq!(mask.len(), 9);
    let noise = mask.iter().find(|kind| kind.kind == "noise").unwrap();
    let [wavelength, cover, _] = &noise.parameters[..] else { panic!("{noise:?}") };
    assert!(wavelength.is_required && wavelength.unit == "m");
    assert_eq!((cover.is_required, &cover.default, cover.maximum), (false, &0.5.into(), Some(1.0)));
    let names = |word: &str| kinds(word).into_iter().map(|one| one.kind).collect::<Vec<_>>();
    assert_eq!(names("region"), ["circle", "rectangle", "polygon"]);
    assert_eq!(names("blend"), ["add", "multiply", "max", "min", "replace", "lerp"]);
    assert_eq!(kinds("blend")[0].about, "old + w·new");
    assert_eq!(names("layer").len(), Layer::WELL_KNOWN.len());
}

#[test]
fn errors_point_at_what_was_written() {
    let place = |stage: &str| {
        let text = format!("{START}{stage}");
        let error = Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap_err();
        let error = error.in_recipe(&text);
        let place = error.place.clone().unwrap();
        (text.lines().nth(place.line - 1).unwrap().to_owned(), error.to_string())
    };
    // The one that was written is the one that contradicts.
    let (line, _) = place("[[stage]]\nkind = \"uplift\"\npeaks = 3\ny_max = 100\n");
    assert_eq!(line, "y_max = 100");
    let (line, _) =
        place("[[stage]]\nkind = \"peaks\"\npeaks = [\n [1, 1, 5, 5],\n [1.5, 1, 5, 5],\n]\n");
    assert_eq!(line, " [1.5, 1, 5, 5],");
}

#[test]
fn a_file_that_cannot_be_used_is_named_with_its_parameter() {
    let recipe = Recipe::parse(&format!(
        "{START}[[stage]]\nkind = \"plane\"\nmask = {{ kind = \"all\", of = [{{ kind = \"slope\" }}, \
         {{ kind = \"image\", file = \"a.png\" }}] }}\n[[stage]]\nkind = \"heightmap\"\nfile = \"b.png\"\n"
    ));
    let recipe = recipe.unwrap();
    assert_eq!(
        recipe.file_error("a.png", "there is none").to_string(),
        "stage 1 (plane): mask.of[1].file is \"a.png\", but there is none"
    );
    assert_eq!(
        recipe.file_error("b.png", "there is none").to_string(),
        "stage 2 (heightmap): file is \"b.png\", but there is none"
    );
}

#[test]
fn numbers_and_names_that_are_missing_are_told_plainly() {
    let fails = |text: &str| Recipe::parse(text).unwrap_err().to_string();
    let message = fails(&START.replacen("version = 1", "version = 2", 1));
    assert!(message.starts_with("version is 2, but this program reads"), "{message}");
    let message = fails(&format!("{START}[[stage]]\nheight = 3\n"));
    assert!(message.starts_with("stage 1: needs `kind`"), "{message}");
    let message = fails("version = 1\nseed = 18446744073709551615\n");
    assert!(
        message.starts_with("18446744073709551615 is too large: whole numbers, seeds too, go up to 9223372036854775807"),
        "{message}"
    );
}

#[test]
fn very_small_and_very_large_numbers_are_told_with_an_exponent() {
    let message = fails("sea_level = 1e300\n");
    assert!(message.starts_with("sea_level is 1e300, but must be"), "{message}");
    let spacing = START.replacen("[10.0, 20.0]", "[1e-300, 20.0]", 1);
    let message = Recipe::parse(&spacing).unwrap_err().to_string();
    assert!(
        message.starts_with("spacing[0] is 1e-300, but must be a number in 0.000001..=1000000"),
        "{message}"
    );
    let message = refused("[[stage]]\nkind = \"levels\"\nlow = 1e-9\nhigh = -2e-9\n");
    assert!(
        message.ends_with("low is 1e-9, but must not be above `high`, which is -2e-9"),
        "{message}"
    );
}

#[test]
fn what_is_no_number_in_a_belt_is_told_with_its_place() {
    let belts = |line: &str| {
        format!("[[stage]]\nkind = \"plates\"\nbelts = [\n [1, 2, 3, 4],\n {line},\n]\n")
    };
    for (line, told) in [
        (
            "[\"a\", 2, 3, 4]",
            "stage 1 (plates): belts[1][0] is \"a\", but must be a number, at a.toml:9:3",
        ),
        ("[1, 2, 3, nan]", "belts[1][3] is NaN, but must be a number, at a.toml:9:12"),
        ("[1, 2, 3, 4, 5]", "belts[1][4] is 5, but must be a text, at a.toml:9:15"),
        (
            "[1, 2, 3]",
            "belts[1] is a list of 3 values, but must be a list of 4 to 5: a number, a number, a number, a number, a text",
        ),
    ] {
        let message = fails(&belts(line));
        assert!(message.contains(told), "{message}");
    }
}

const NOISE: &str = "[[stage]]\nkind = \"noise\"\n";

#[test]
fn a_varying_parameter_is_a_number_or_a_table_and_its_range_holds_for_both() {
    let by = "by = { kind = \"gradient\", from = [0, 0], to = [0, 100] }";
    let text = format!("{START}{NOISE}h = {{ from = 0.4, to = 1, {by} }}\namplitude = 20\n");
    let recipe = Recipe::parse(&text).unwrap();
    assert_eq!(Recipe::parse(&recipe.to_toml()).unwrap(), recipe, "{}", recipe.to_toml());
    assert!(recipe.resolve(&Inputs::default()).is_ok());
    let cases = [
        (
            "h = 3",
            "h is 3, but must be a number in 0..=2, or a table with `from`, `to` and the mask `by`",
        ),
        ("h = \"x\"", "h is \"x\", but must be a number in 0..=2, or a table"),
        ("h = nan", "h is NaN, but must be a number in 0..=2"),
        ("h = { from = 0, to = 1 }", "h needs `by`: a table with kind \"height\""),
        (&format!("h = {{ from = 0, to = 9, {by} }}"), "h.to is 9, but must be a number in 0..=2"),
        ("h = { from = 0, to = 1, by = 3 }", "h.by is 3, but must be a table with kind"),
        ("h = { from = 0, til = 1 }", "h unknown parameter `til`"),
        ("octaves = 0", "octaves is 0, but must be a whole number in 1..=24"),
        ("lacunarity = 1", "lacunarity is 1, but must be a number above 1 and at most 8"),
        ("wavelength = 0", "wavelength is 0, but must be a number in 0.001..="),
    ];
    for (line, expected) in cases {
        let message = fails(&format!("{NOISE}{line}\n"));
        assert!(message.contains(expected), "{message}\nshould contain\n{expected}");
    }
    let same =
        "h = { from = 0, to = 1, by = { kind = \"gradient\", from = [1, 2], to = [1, 2] } }\n";
    let message = refused(&format!("{NOISE}{same}"));
    assert!(
        message.contains("h.by.from is [1.0, 2.0], but must not be the same point as `to`"),
        "{message}"
    );
    let layer = "h = { from = 0, to = 1, by = { kind = \"height\", layer = \"rock\" } }\n";
    let message = refused(&format!("{NOISE}{layer}"));
    assert!(message.contains("h.by.layer is \"rock\", but the layers before it are"), "{message}");
}

#[test]
fn a_varying_parameter_can_be_set_as_a_whole_and_in_part() {
    let text = format!("{START}{NOISE}amplitude = 20\n");
    let value = "{ from = 1, to = 2, by = { kind = \"slope\", to = 30 } }";
    let text = set(&text, "noise.amplitude", value).unwrap();
    let text = set(&text, "noise.amplitude.to", "7").unwrap();
    let text = set(&text, "noise.amplitude.by.to", "45").unwrap();
    assert!(
        text.contains("amplitude = { from = 1, to = 7, by = { kind = \"slope\", to = 45 } }"),
        "{text}"
    );
    let text = set(&text, "noise.amplitude", "30").unwrap();
    assert!(text.contains("amplitude = 30"), "{text}");
    assert!(set(&text, "noise.amplitude.to", "7").is_err());
}

#[test]
fn the_catalogue_tells_which_parameters_may_vary() {
    let (stages, _) = catalogue();
    let noise = stages.iter().find(|stage| stage.kind == "noise").unwrap();
    let parameter = |name: &str| noise.parameters.iter().find(|one| one.name == name).unwrap();
    let amplitude = parameter("amplitude");
    assert!(amplitude.varies && !parameter("wavelength").varies);
    assert_eq!((amplitude.unit.as_str(), amplitude.maximum), ("m", Some(100_000.0)));
    assert_eq!(amplitude.default, 600.0);
}

#[test]
fn the_ground_of_a_recipe_is_that_of_its_terrain_and_changes_no_sample() {
    let text = "version = 1\nsize = [4, 4]\nspacing = [1, 1]\nground = \"bare\"\n\
                [[stage]]\nkind = \"plane\"\nheight = 3\n";
    let run = |text: &str| {
        let plan = Recipe::parse(text).unwrap().resolve(&Inputs::default()).unwrap();
        plan.run(&plan.lattice().whole(), &()).unwrap()
    };
    let (bare, green) = (run(text), run(&text.replace("ground = \"bare\"\n", "")));
    assert_eq!((bare.cover(), green.cover()), (GroundCover::Bare, GroundCover::Green));
    assert_eq!(bare.height(), green.height());
    let error = Recipe::parse(&text.replace("bare", "blue")).unwrap_err().to_string();
    assert!(error.contains("blue") && error.contains("bare"), "{error}");
}
