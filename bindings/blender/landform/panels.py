# SPDX-License-Identifier: GPL-3.0-or-later
"""Menus, the sidebar, and the drawing of parameters that it shares with the redo panel."""

import json
import textwrap

import bpy

from . import schema


def draw_common(layout, target, is_operator=False):
    layout.use_property_split, layout.use_property_decorate = True, False
    column = layout.column()
    if is_operator:
        column.prop(target, "preset")
    for name in ("seed", "samples", "lattice", "metres_per_unit", "sea_level", "output"):
        column.prop(target, name)
    row = layout.grid_flow(columns=2, align=True)
    for name in ("with_material", "with_rivers", "with_water", "with_groups"):
        row.prop(target, name)


def draw_stages(layout, target, is_sidebar=False):
    for index, stage in enumerate(target.stages):
        box = layout.box()
        row = box.row(align=True)
        icon = "DOWNARROW_HLT" if stage.show else "RIGHTARROW"
        row.prop(stage, "show", text="", icon=icon, emboss=False)
        row.prop(stage, "enabled", text="")
        source = json.loads(stage.source or "{}")
        row.label(text=schema.title(source.get("label", stage.kind)))
        if is_sidebar:
            for by, picture in ((-1, "TRIA_UP"), (1, "TRIA_DOWN"), (0, "X")):
                action = row.operator("landform.stage_move", text="", icon=picture, emboss=False)
                action.index, action.by = index, by
        if stage.show:
            draw_stage(box.column(), stage, source)


def draw_stage(column, stage, source):
    column.use_property_split, column.use_property_decorate = True, False
    if stage.kind not in schema.STAGES:
        column.label(text="Made with a newer Landform", icon="ERROR")
        return
    column.active = stage.enabled
    column.prop(stage, "variation", text="Path seed" if stage.kind == "river" else "Variation")
    column.prop(stage, "amount")
    group = getattr(stage, stage.kind)
    texts = {item.name: item for item in stage.texts}
    for name, parameter in schema.parameters(stage.kind):
        if name in texts:
            continue
        if isinstance(source.get(name), (dict, list)):
            column.label(text=f"{schema.title(name)}: as the recipe has it")
        elif schema.is_optional(parameter):
            row = column.row(heading=schema.title(name), align=True)
            row.prop(group, f"use_{name}", text="")
            value = row.row()
            value.active = getattr(group, f"use_{name}")
            value.prop(group, name, text="")
        else:
            column.prop(group, name)
    for name, item in texts.items():
        column.prop(item, "text", text=schema.title(name))
        for line in textwrap.wrap(item.wrong, 60)[:3]:
            column.label(text=line, icon="ERROR")


class Sidebar:
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Landform"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.landform.is_terrain


class LANDFORM_PT_add(bpy.types.Panel):
    """Shown while no terrain is selected"""

    bl_label, bl_idname = "Landform", "LANDFORM_PT_add"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Landform"

    @classmethod
    def poll(cls, context):
        return context.object is None or not context.object.landform.is_terrain

    def draw(self, context):
        layout = self.layout
        layout.operator("landform.add", icon="MESH_GRID")
        layout.operator("landform.import_recipe", icon="IMPORT")
        obj = context.object
        if obj is not None and obj.landform_marker.kind != "NONE":
            own = obj.landform_marker
            layout.label(text=f"{own.kind.capitalize()} of {own.terrain.name if own.terrain else 'nothing'}")
            if own.kind == "PAD":
                layout.prop(own, "margin")
                layout.prop(own, "use_level")
            layout.operator("landform.rebuild", icon="FILE_REFRESH")
        elif obj is not None:
            layout.operator("landform.pads", icon="MESH_CIRCLE")


class LANDFORM_PT_terrain(Sidebar, bpy.types.Panel):
    bl_label, bl_idname = "Terrain", "LANDFORM_PT_terrain"

    def draw(self, context):
        own = context.object.landform
        row = self.layout.row(align=True)
        row.operator("landform.rebuild", icon="FILE_REFRESH")
        row.prop(own, "live", toggle=True)
        draw_common(self.layout, own)
        row = self.layout.row(align=True)
        row.operator("landform.import_recipe", text="Import", icon="IMPORT")
        row.operator("landform.export", text="Export", icon="EXPORT")


class LANDFORM_PT_shape(Sidebar, bpy.types.Panel):
    bl_label, bl_idname = "Peaks, Pads and Rock", "LANDFORM_PT_shape"

    def draw(self, context):
        layout, own = self.layout, context.object.landform
        layout.operator("landform.peaks", icon="EMPTY_AXIS")
        layout.operator("landform.pads", icon="MESH_CIRCLE")
        layout.prop(own, "pads_file")
        layout.prop_search(own, "hardness", context.object, "vertex_groups")
        layout.prop_search(own, "hardness", context.object.data, "color_attributes", text="or colour")
        layout.prop(own, "hard_rock")


class LANDFORM_PT_stages(Sidebar, bpy.types.Panel):
    bl_label, bl_idname = "Stages", "LANDFORM_PT_stages"

    def draw(self, context):
        self.layout.operator_menu_enum("landform.stage_add", "kind", icon="ADD")
        draw_stages(self.layout, context.object.landform, is_sidebar=True)


def add_menu(self, _context):
    self.layout.separator()
    self.layout.operator("landform.add", icon="MESH_GRID")


def import_menu(self, _context):
    self.layout.operator("landform.import_recipe", text="Landform (.toml, .upd)")


def export_menu(self, _context):
    self.layout.operator("landform.export", text="Landform (.upd, .toml, heightmaps)")


CLASSES = [LANDFORM_PT_add, LANDFORM_PT_terrain, LANDFORM_PT_shape, LANDFORM_PT_stages]
MENUS = [
    (bpy.types.VIEW3D_MT_mesh_add, add_menu),
    (bpy.types.TOPBAR_MT_file_import, import_menu),
    (bpy.types.TOPBAR_MT_file_export, export_menu),
]


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    for menu, draw in MENUS:
        menu.append(draw)


def unregister():
    for menu, draw in MENUS:
        menu.remove(draw)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
