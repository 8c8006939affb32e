# SPDX-License-Identifier: GPL-3.0-or-later
"""What an artist can do: add a terrain, build it again, mark pads, take hold of peaks, import and export."""

import os

import bpy
import landform
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import job, markers, material, mesh, panels, settings, water


def terrain_of(context, name=""):
    """The terrain that is meant: by name, the active object, or the terrain that it belongs to."""
    obj = bpy.data.objects.get(name) if name else context.object
    if obj is None:
        return None
    if obj.landform.is_terrain:
        return obj
    if obj.landform_marker.terrain is not None:
        return obj.landform_marker.terrain
    parent = obj.parent
    return parent if parent is not None and parent.landform.is_terrain else None


def put(obj, built):
    """Writes the terrain of a job into its object."""
    terrain = built.result()
    with settings.quietly():
        mesh.write(obj, terrain)
        if obj.landform.with_material:
            material.put(obj, terrain)
        water.write(obj, terrain)
        obj.landform.recipe = built.recipe.text
        obj.data["landform_built"] = built.key
    return terrain


def create(context, name="Landform"):
    """A new object that is to be a terrain, at the cursor and active."""
    obj = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    context.collection.objects.link(obj)
    obj.location = context.scene.cursor.location
    for other in context.selected_objects:
        other.select_set(False)
    obj.select_set(True)
    context.view_layer.objects.active = obj
    obj.landform.is_terrain = True
    return obj


def build_now(obj):
    """Builds a terrain and waits for it."""
    return put(obj, job.Job(obj).start())


#: What an artist shall read and not trace.
WRONG = (landform.Error, OSError, RuntimeError, MemoryError)


class Told:
    """Says what is wrong in the words of Landform, without a traceback."""

    def told(self, work):
        try:
            work()
        except WRONG as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class LANDFORM_OT_add(Told, bpy.types.Operator):
    """Add a natural terrain"""

    bl_idname, bl_label = "landform.add", "Landform"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    __annotations__ = {
        "preset": bpy.props.EnumProperty(
            name="Preset", description="The recipe to start from", items=settings.PRESETS, default=settings.DEFAULT
        ),
        "recipe": bpy.props.StringProperty(
            name="Recipe", description="A recipe as text, or its file", options={"HIDDEN"}
        ),
        "pads_file": bpy.props.StringProperty(name="Pads file", description="Flat places (JSON)", options={"HIDDEN"}),
        "loaded": bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"}),
        **settings.common(None, lattice=257),
    }

    def execute(self, context):
        return self.told(lambda: self.build(context))

    def build(self, context):
        wanted = self.recipe or self.preset
        if self.loaded != wanted:
            names = () if self.loaded else ("seed", "sea_level")
            given = {name: getattr(self, name) for name in names if self.properties.is_property_set(name)}
            settings.load(self, opened(wanted))
            self.loaded = wanted
            for name, value in given.items():
                setattr(self, name, value)
        settings.recipe_of(self)
        obj = create(context)
        try:
            settings.copy(self, obj.landform)
            with settings.quietly():
                obj.landform.pads_file = self.pads_file
            build_now(obj)
        except Exception:
            bpy.data.objects.remove(obj)
            raise

    def draw(self, _context):
        panels.draw_common(self.layout, self, is_operator=True)
        panels.draw_stages(self.layout, self)


def opened(wanted):
    """A recipe from its text, its file, or the name of a preset."""
    if "\n" in wanted:
        return landform.Recipe(wanted)
    if wanted in landform.presets():
        return landform.Recipe.preset(wanted)
    return landform.Recipe.load(bpy.path.abspath(wanted))


class LANDFORM_OT_rebuild(Told, bpy.types.Operator):
    """Build the terrain again from its recipe, peaks, pads and paint. Esc stops it"""

    bl_idname, bl_label = "landform.rebuild", "Rebuild"
    bl_options = {"REGISTER", "UNDO"}

    name: bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" or "PAINT" in context.mode

    def execute(self, context):
        obj = terrain_of(context, self.name)
        if obj is None:
            self.report({"ERROR"}, "There is no terrain to build: select one")
            return {"CANCELLED"}
        return self.told(lambda: build_now(obj))

    def invoke(self, context, _event):
        obj = terrain_of(context, self.name)
        if obj is None or context.window is None:
            return self.execute(context)
        try:
            self.job = job.Job(obj).start()
        except WRONG as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.target = obj.name
        # What is being built for the same terrain is out of date.
        older = markers.RUNNING.pop(obj.name, None)
        if older is not None:
            older.stop()
        markers.RUNNING[obj.name] = self.job
        self.timer = context.window_manager.event_timer_add(0.03, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.job.stop()
            return {"RUNNING_MODAL"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        context.window_manager.progress_update(100 * self.job.done)
        if context.workspace is not None:
            text = f"Landform: {self.job.stage} {100 * self.job.done:.0f} %   (Esc stops)"
            context.workspace.status_text_set(text)
        return {"RUNNING_MODAL"} if self.job.is_running() else self.finish(context)

    def finish(self, context):
        self.end(context)
        obj = bpy.data.objects.get(self.target)
        if self.job.is_stopped and markers.RUNNING.get(self.target) is not self.job:
            return {"CANCELLED"}
        markers.RUNNING.pop(self.target, None)
        if self.job.is_stopped:
            self.report({"INFO"}, "Stopped: the terrain is as it was")
            return {"CANCELLED"}
        if obj is None or not obj.landform.is_terrain:
            self.report({"WARNING"}, "The terrain was deleted while it was being built")
            return {"CANCELLED"}
        return self.told(lambda: put(obj, self.job))

    def end(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        if context.workspace is not None:
            context.workspace.status_text_set(None)

    def cancel(self, context):
        self.job.stop()
        self.end(context)


class LANDFORM_OT_pads(Told, bpy.types.Operator):
    """Make the ground level under the selected empties and objects"""

    bl_idname, bl_label = "landform.pads", "Level Ground at Selected"
    bl_options = {"REGISTER", "UNDO"}

    margin: bpy.props.FloatProperty(
        name="Margin", description="Where it fades, as a share of the radius", default=0.8, min=0, max=10
    )
    use_level: bpy.props.BoolProperty(name="Keep height", description="Level at the height of the object")
    terrain: bpy.props.StringProperty(name="Terrain", options={"HIDDEN"})

    def execute(self, context):
        terrains = [obj for obj in context.scene.objects if obj.landform.is_terrain]
        terrain = terrain_of(context, self.terrain) or (terrains[0] if len(terrains) == 1 else None)
        chosen = [obj for obj in context.selected_objects if obj != terrain and obj.landform_marker.kind != "PEAK"]
        if terrain is None or not chosen:
            self.report({"ERROR"}, "Select objects for the flat places and, as the active one, the terrain")
            return {"CANCELLED"}
        for obj in chosen:
            own = obj.landform_marker
            own.kind, own.terrain = "PAD", terrain
            own.margin, own.use_level = self.margin, self.use_level
        return self.told(lambda: build_now(terrain))


class LANDFORM_OT_peaks(Told, bpy.types.Operator):
    """Take hold of the highest peaks: empties that can be moved, with the terrain following"""

    bl_idname, bl_label = "landform.peaks", "Peaks as Empties"
    bl_options = {"REGISTER", "UNDO"}

    count: bpy.props.IntProperty(name="Count", description="How many of the highest peaks", default=24, min=1, max=2000)

    def execute(self, context):
        obj = terrain_of(context)
        if obj is None:
            self.report({"ERROR"}, "Select a terrain")
            return {"CANCELLED"}
        return self.told(lambda: self.take(context, obj))

    def take(self, context, obj):
        if not markers.peaks_to_empties(obj, self.count):
            raise landform.Error("the terrain has no peaks: add the stage uplift or peaks")
        context.view_layer.update()
        build_now(obj)


class LANDFORM_OT_stage_add(bpy.types.Operator):
    """Add a stage at the end of the recipe"""

    bl_idname, bl_label = "landform.stage_add", "Add Stage"
    bl_options = {"REGISTER", "UNDO"}
    bl_property = "kind"

    kind: bpy.props.EnumProperty(
        name="Stage",
        items=[
            (kind, settings.schema.title(kind), settings.schema.sentence(declared))
            for kind, declared in settings.schema.STAGES.items()
        ],
    )

    def execute(self, context):
        obj = terrain_of(context)
        if obj is None:
            self.report({"ERROR"}, "Select a terrain")
            return {"CANCELLED"}
        own = obj.landform
        stage = own.stages.add()
        used = [other.kind for other in own.stages]
        with settings.quietly():
            label = self.kind if used.count(self.kind) == 0 else f"{self.kind} {len(own.stages)}"
            settings.write_stage(stage, {"kind": self.kind, "label": label})
        markers.schedule(obj)
        return {"FINISHED"}


class LANDFORM_OT_stage_move(bpy.types.Operator):
    """Move a stage, or remove it"""

    bl_idname, bl_label = "landform.stage_move", "Move Stage"
    bl_options = {"REGISTER", "UNDO"}

    index: bpy.props.IntProperty()
    by: bpy.props.IntProperty(description="Places down; 0 removes it")

    def execute(self, context):
        obj = terrain_of(context)
        if obj is None:
            return {"CANCELLED"}
        stages = obj.landform.stages
        if self.by == 0:
            stages.remove(self.index)
        else:
            stages.move(self.index, min(max(self.index + self.by, 0), len(stages) - 1))
        markers.schedule(obj)
        return {"FINISHED"}


class LANDFORM_OT_import(Told, bpy.types.Operator, ImportHelper):
    """Import a recipe (.toml) or an Uplift terrain (.upd); its peaks become empties"""

    bl_idname, bl_label = "landform.import_recipe", "Import Landform"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: bpy.props.StringProperty(default="*.toml;*.upd", options={"HIDDEN"})
    samples: bpy.props.IntProperty(name="Samples", default=385, min=2, max=16385)
    peaks: bpy.props.IntProperty(
        name="Peaks as empties", description="Of a .upd file, so many of the highest", default=64, min=0
    )

    def execute(self, context):
        return self.told(lambda: self.read(context))

    def read(self, context):
        recipe = landform.Recipe.load(self.filepath)
        obj = create(context, os.path.splitext(os.path.basename(self.filepath))[0])
        try:
            settings.load(obj.landform, recipe)
            with settings.quietly():
                obj.landform.samples = self.samples
            if self.filepath.lower().endswith(".upd") and self.peaks:
                markers.peaks_to_empties(obj, self.peaks)
                context.view_layer.update()
            build_now(obj)
        except Exception:
            bpy.data.objects.remove(obj)
            raise


class LANDFORM_OT_export(Told, bpy.types.Operator, ExportHelper):
    """Export the terrain: recipe, peaks, heightmap or mesh, by the extension of the file"""

    bl_idname, bl_label = "landform.export", "Export Landform"
    bl_options = {"REGISTER"}

    filename_ext = ""
    filter_glob: bpy.props.StringProperty(
        default=";".join(f"*.{name}" for name in ("toml", "upd", "geojson", *(name for name, _ in landform.formats()))),
        options={"HIDDEN"},
    )
    layer: bpy.props.StringProperty(name="Layer", default="height")

    def execute(self, context):
        obj = terrain_of(context)
        if obj is None:
            self.report({"ERROR"}, "Select a terrain")
            return {"CANCELLED"}
        return self.told(lambda: self.write(obj))

    def write(self, obj):
        recipe = job.recipe_for(obj)
        if self.filepath.lower().endswith((".toml", ".upd")):
            recipe.save(self.filepath)
        else:
            landform.build(recipe).write(self.filepath, self.layer)


CLASSES = [
    LANDFORM_OT_add,
    LANDFORM_OT_rebuild,
    LANDFORM_OT_pads,
    LANDFORM_OT_peaks,
    LANDFORM_OT_stage_add,
    LANDFORM_OT_stage_move,
    LANDFORM_OT_import,
    LANDFORM_OT_export,
]


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
