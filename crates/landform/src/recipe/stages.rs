//! Changes to the list of stages in the text of a recipe: move, insert, remove, replace.
//!
//! A stage is the lines from its `[[stage]]` to the next, with the comment above it. These lines are moved as they are, so
//! nothing that was written is lost. What comes out is read again and compared with what was meant.

use super::{Entry, Recipe, edit};
use crate::error::Error;

/// Moves stage `from` to the place `to`, both counted from 0 in the list as it is and as it will be.
///
/// # Errors
/// If there is no such place, or the recipe cannot be changed in this way.
pub fn move_stage(text: &str, from: usize, to: usize) -> Result<String, Error> {
    change(text, |blocks, stages| {
        if from >= stages.len() || to >= stages.len() {
            return Err(no_such(from.max(to), stages.len()));
        }
        let block = blocks.remove(from);
        blocks.insert(to, block);
        let stage = stages.remove(from);
        stages.insert(to, stage);
        Ok(())
    })
}

/// Removes a stage.
///
/// # Errors
/// If there is no such stage, or the recipe cannot be changed in this way.
pub fn remove_stage(text: &str, index: usize) -> Result<String, Error> {
    change(text, |blocks, stages| {
        if index >= stages.len() {
            return Err(no_such(index, stages.len()));
        }
        blocks.remove(index);
        stages.remove(index);
        Ok(())
    })
}

/// Inserts a stage before stage `index`, or at the end.
///
/// # Errors
/// If there is no such place, or the recipe cannot be changed in this way.
pub fn insert_stage(text: &str, index: usize, entry: &Entry) -> Result<String, Error> {
    change(text, |blocks, stages| {
        if index > stages.len() {
            return Err(no_such(index, stages.len()));
        }
        blocks.insert(index, edit::written_stage(entry)?);
        stages.insert(index, entry.clone());
        Ok(())
    })
}

/// Puts another stage in the place of one; the comment above it stays.
///
/// # Errors
/// If there is no such stage, or the recipe cannot be changed in this way.
pub fn replace_stage(text: &str, index: usize, entry: &Entry) -> Result<String, Error> {
    change(text, |blocks, stages| {
        let (Some(block), Some(stage)) = (blocks.get_mut(index), stages.get_mut(index)) else {
            return Err(no_such(index, stages.len()));
        };
        let header = block.find(HEADER).unwrap_or(0);
        *block = format!("{}{}", &block[..header], edit::written_stage(entry)?);
        *stage = entry.clone();
        Ok(())
    })
}

const HEADER: &str = "[[stage]]";

fn no_such(index: usize, count: usize) -> Error {
    Error::new(format!("there is no stage {} among {count}", index + 1))
}

/// Changes the blocks of text and, in the same way, the stages that they stand for.
fn change(
    text: &str,
    act: impl FnOnce(&mut Vec<String>, &mut Vec<Entry>) -> Result<(), Error>,
) -> Result<String, Error> {
    let mut meant = Recipe::parse(text)?;
    let (head, mut blocks) = split(text);
    if blocks.len() != meant.stages.len() {
        return Err(Error::new("stages can only be changed where each is written as [[stage]]"));
    }
    act(&mut blocks, &mut meant.stages)?;
    let mut changed = head;
    for block in blocks {
        if !changed.is_empty() && !changed.ends_with("\n\n") {
            changed.push('\n');
        }
        changed += block.trim_start_matches('\n');
        if !changed.ends_with('\n') {
            changed.push('\n');
        }
    }
    if Recipe::parse(&changed)? != meant {
        return Err(Error::new("the stages are written in a way that cannot be taken apart"));
    }
    Ok(changed)
}

/// What stands before the stages, and the lines of each.
fn split(text: &str) -> (String, Vec<String>) {
    let (mut head, mut blocks): (String, Vec<String>) = Default::default();
    // Comments that may belong to the stage below them.
    let mut above = String::new();
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with(HEADER) {
            blocks.push(std::mem::take(&mut above) + line);
        } else if line.trim_start().starts_with('#') {
            above += line;
        } else {
            let last = blocks.last_mut().unwrap_or(&mut head);
            *last += &std::mem::take(&mut above);
            *last += line;
        }
    }
    *blocks.last_mut().unwrap_or(&mut head) += &above;
    (head, blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::Stage;

    const TEXT: &str = "# A recipe.\nversion = 1\nsize = [9, 9]\nspacing = [1.0, 1.0]\n\n# First.\n[[stage]]\nkind = \"uplift\"\npeaks = 3 # few\n\n[[stage]]\nkind = \"smooth\"\n[stage.mask]\nkind = \"slope\"\nfrom = 3\n# Last.\n[[stage]]\nkind = \"levels\"";

    fn kinds(text: &str) -> Vec<&'static str> {
        Recipe::parse(text).unwrap().stages.iter().map(|entry| entry.stage.kind()).collect()
    }

    #[test]
    fn stages_move_with_their_comments_and_tables() {
        let moved = move_stage(TEXT, 0, 2).unwrap();
        assert_eq!(kinds(&moved), ["smooth", "levels", "uplift"]);
        assert!(moved.contains("# First.\n[[stage]]\nkind = \"uplift\"\npeaks = 3 # few\n"));
        assert!(moved.contains("# Last.\n[[stage]]\nkind = \"levels\""));
        let back = move_stage(&moved, 2, 0).unwrap();
        assert_eq!(Recipe::parse(&back).unwrap(), Recipe::parse(TEXT).unwrap());
        assert!(move_stage(TEXT, 0, 3).is_err());
    }

    #[test]
    fn stages_come_and_go() {
        assert_eq!(kinds(&remove_stage(TEXT, 1).unwrap()), ["uplift", "levels"]);
        let entry = Entry::new(Stage::Thermal(Default::default()));
        let more = insert_stage(TEXT, 3, &entry).unwrap();
        assert_eq!(kinds(&more), ["uplift", "smooth", "levels", "thermal"]);
        let other = replace_stage(TEXT, 0, &entry).unwrap();
        assert_eq!(kinds(&other), ["thermal", "smooth", "levels"]);
        assert!(other.contains("# First.\n[[stage]]\nkind = \"thermal\""));
        let none = "version = 1\nsize = [9, 9]\nspacing = [1.0, 1.0]\n";
        assert_eq!(kinds(&insert_stage(none, 0, &entry).unwrap()), ["thermal"]);
    }

    #[test]
    fn what_cannot_be_taken_apart_is_refused() {
        let in_line =
            "version = 1\nsize = [9, 9]\nspacing = [1.0, 1.0]\nstage = [{ kind = \"uplift\" }]\n";
        assert!(remove_stage(in_line, 0).is_err());
    }
}
