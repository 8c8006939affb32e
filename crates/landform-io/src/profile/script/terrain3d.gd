## Imports a terrain into the open scene, by the add-on Terrain3D. Written by @GENERATOR@.
##
## Copy this folder into the project and open a scene. Then open this script in the script editor
## and choose File, Run. A node Terrain3D that is in the scene is used, else one is made; it gets
## the region size and the vertex spacing of the files. The regions are saved in the folder "data"
## beside this script. After an export of the same terrain, run it again.
@tool
extends EditorScript

const TITLE := @NAME@
const REGION_SIZE := @REGION@
## Metres from sample to sample.
const VERTEX_SPACING := @SPACING@
## The textures with the ids 0, 1, 2 and so on, in this order.
const MATERIALS: Array[String] = [@MATERIALS@]
## Files, and the place of the first sample in metres.
const TILES: Array[Dictionary] = [
@TILES@
]


func _run() -> void:
	var scene: Node = get_scene()
	if scene == null:
		push_error("Landform: open a scene first")
		return
	var folder: String = get_script().resource_path.get_base_dir()
	var terrain: Terrain3D = _find(scene)
	if terrain == null:
		terrain = Terrain3D.new()
		terrain.name = TITLE.validate_node_name()
		terrain.material = Terrain3DMaterial.new()
		terrain.assets = Terrain3DAssets.new()
		scene.add_child(terrain, true)
		terrain.owner = scene
	terrain.region_size = REGION_SIZE
	terrain.vertex_spacing = VERTEX_SPACING
	for tile: Dictionary in TILES:
		if not _import(terrain, folder, tile):
			return
	var data: String = folder.path_join("data")
	DirAccess.make_dir_recursive_absolute(data)
	terrain.data.save_directory(data)
	terrain.data_directory = data
	for id: int in MATERIALS.size():
		print("Landform: texture ", id, " is ", MATERIALS[id])
	print("Landform: ", TITLE, " is imported; save the scene")


## The first Terrain3D of a scene.
func _find(node: Node) -> Terrain3D:
	if node is Terrain3D:
		return node
	for child: Node in node.get_children():
		var found: Terrain3D = _find(child)
		if found != null:
			return found
	return null


func _import(terrain: Terrain3D, folder: String, tile: Dictionary) -> bool:
	var images: Array[Image] = []
	images.resize(Terrain3DRegion.TYPE_MAX)
	images[Terrain3DRegion.TYPE_HEIGHT] = _image(folder, tile["heights"])
	if images[Terrain3DRegion.TYPE_HEIGHT] == null:
		return false
	if tile.has("control"):
		images[Terrain3DRegion.TYPE_CONTROL] = _image(folder, tile["control"])
		if images[Terrain3DRegion.TYPE_CONTROL] == null:
			return false
	# Heights are metres: no offset, and the scale 1.
	terrain.data.import_images(images, tile["position"], 0.0, 1.0)
	return true


func _image(folder: String, file: String) -> Image:
	var path: String = folder.path_join(file)
	var image: Image = Terrain3DUtil.load_image(path, ResourceLoader.CACHE_MODE_IGNORE)
	if image == null or image.is_empty():
		push_error("Landform: cannot read %s" % path)
		return null
	return image
