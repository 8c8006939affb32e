// Imports the terrain @NAME@ into Unity. Written by @GENERATOR@.
//
// Copy this folder into the Assets of a project, then choose Landform > Import @WORD@ in the menu. The terrains stand in the open scene,
// with their size, their place and a terrain layer for each material. After an export of the same terrain, choose it again: heights and weights
// become the new ones, and layers keep the textures that you gave them.
#if UNITY_EDITOR
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEngine;

public static class @CLASS@
{
    const string Title = @NAME@;

    sealed class Tile
    {
        public string Heights;
        public string[] Weights;
        // Columns count from the west and rows from the south.
        public int Column, Row;
        public int Resolution;
        public Vector3 Size, Position;
    }

    static readonly string[] Materials = { @MATERIALS@ };

    static readonly Color[] Colors = { @COLORS@ };

    static readonly Tile[] Tiles =
    {
@TILES@
    };

    [MenuItem("Landform/Import @WORD@")]
    public static void Import()
    {
        string folder = Folder();
        TerrainLayer[] layers = Layers(folder);
        GameObject parent = GameObject.Find(Title);
        if (parent == null)
            parent = new GameObject(Title);
        var terrains = new Dictionary<Vector2Int, Terrain>();
        foreach (Tile tile in Tiles)
        {
            TerrainData data = Data(folder, tile, layers);
            terrains[new Vector2Int(tile.Column, tile.Row)] = Place(parent, tile, data);
        }
        foreach (KeyValuePair<Vector2Int, Terrain> placed in terrains)
        {
            Vector2Int at = placed.Key;
            placed.Value.SetNeighbors(
                Beside(terrains, at.x - 1, at.y), Beside(terrains, at.x, at.y + 1),
                Beside(terrains, at.x + 1, at.y), Beside(terrains, at.x, at.y - 1));
        }
        AssetDatabase.SaveAssets();
        Debug.Log("Landform: " + Title + " is imported, " + Tiles.Length + " terrain(s)");
    }

    // Where this script lies, and the other files of the export.
    static string Folder()
    {
        foreach (string guid in AssetDatabase.FindAssets("@CLASS@ t:MonoScript"))
        {
            string path = AssetDatabase.GUIDToAssetPath(guid);
            if (Path.GetFileNameWithoutExtension(path) == "@CLASS@")
                return Path.GetDirectoryName(path).Replace('\\', '/');
        }
        throw new FileNotFoundException("@CLASS@.cs must keep its name");
    }

    static Terrain Beside(Dictionary<Vector2Int, Terrain> terrains, int column, int row)
    {
        Terrain found;
        return terrains.TryGetValue(new Vector2Int(column, row), out found) ? found : null;
    }

    static TerrainData Data(string folder, Tile tile, TerrainLayer[] layers)
    {
        string path = folder + "/" + Path.GetFileNameWithoutExtension(tile.Heights) + ".asset";
        TerrainData data = AssetDatabase.LoadAssetAtPath<TerrainData>(path);
        bool isNew = data == null;
        if (isNew)
            data = new TerrainData();
        // The resolution changes the size, so it is set first.
        data.heightmapResolution = tile.Resolution;
        data.size = tile.Size;
        data.SetHeights(0, 0, Heights(folder + "/" + tile.Heights, tile.Resolution));
        if (isNew)
            AssetDatabase.CreateAsset(data, path);
        if (tile.Weights.Length > 0)
        {
            data.terrainLayers = layers;
            data.alphamapResolution = tile.Resolution - 1;
            data.SetAlphamaps(0, 0, Weights(folder, tile, tile.Resolution - 1));
        }
        EditorUtility.SetDirty(data);
        return data;
    }

    // 16 bits, the least significant byte first, the southernmost row first, as Unity counts z.
    static float[,] Heights(string path, int side)
    {
        byte[] bytes = File.ReadAllBytes(path);
        if (bytes.Length != 2 * side * side)
            throw new InvalidDataException(path + " does not have " + side + " x " + side + " samples");
        var heights = new float[side, side];
        for (int z = 0; z < side; z++)
        {
            for (int x = 0; x < side; x++)
            {
                int at = 2 * (z * side + x);
                heights[z, x] = (bytes[at] | bytes[at + 1] << 8) / 65535f;
            }
        }
        return heights;
    }

    // A texel of Unity's map lies in the middle of four samples.
    static float[,,] Weights(string folder, Tile tile, int side)
    {
        var weights = new float[side, side, Materials.Length];
        for (int file = 0; file < tile.Weights.Length; file++)
        {
            string path = folder + "/" + tile.Weights[file];
            var texture = new Texture2D(2, 2, TextureFormat.RGBA32, false, true);
            texture.LoadImage(File.ReadAllBytes(path));
            if (texture.width != side + 1 || texture.height != side + 1)
                throw new InvalidDataException(path + " does not have " + (side + 1) + " x " + (side + 1) + " samples");
            // Rows from the south: Unity turns pictures over.
            Color32[] pixels = texture.GetPixels32();
            Object.DestroyImmediate(texture);
            int count = Mathf.Min(4, Materials.Length - 4 * file);
            for (int z = 0; z < side; z++)
            {
                for (int x = 0; x < side; x++)
                {
                    int at = z * (side + 1) + x;
                    for (int channel = 0; channel < count; channel++)
                    {
                        int sum = Level(pixels[at], channel) + Level(pixels[at + 1], channel)
                            + Level(pixels[at + side + 1], channel) + Level(pixels[at + side + 2], channel);
                        weights[z, x, 4 * file + channel] = sum / 1020f;
                    }
                }
            }
        }
        return weights;
    }

    static int Level(Color32 pixel, int channel)
    {
        switch (channel)
        {
            case 0: return pixel.r;
            case 1: return pixel.g;
            case 2: return pixel.b;
            default: return pixel.a;
        }
    }

    // A layer that is there keeps its textures.
    static TerrainLayer[] Layers(string folder)
    {
        var layers = new TerrainLayer[Materials.Length];
        for (int k = 0; k < layers.Length; k++)
        {
            string path = folder + "/" + Materials[k] + ".terrainlayer";
            layers[k] = AssetDatabase.LoadAssetAtPath<TerrainLayer>(path);
            if (layers[k] != null)
                continue;
            var texture = new Texture2D(4, 4, TextureFormat.RGBA32, false);
            var colors = new Color[16];
            for (int pixel = 0; pixel < colors.Length; pixel++)
                colors[pixel] = Colors[k];
            texture.SetPixels(colors);
            texture.Apply();
            AssetDatabase.CreateAsset(texture, folder + "/" + Materials[k] + "_color.asset");
            layers[k] = new TerrainLayer();
            layers[k].diffuseTexture = texture;
            layers[k].tileSize = new Vector2(10f, 10f);
            AssetDatabase.CreateAsset(layers[k], path);
        }
        return layers;
    }

    static Terrain Place(GameObject parent, Tile tile, TerrainData data)
    {
        string name = Path.GetFileNameWithoutExtension(tile.Heights);
        Transform known = parent.transform.Find(name);
        GameObject placed = known != null ? known.gameObject : Terrain.CreateTerrainGameObject(data);
        placed.name = name;
        placed.transform.SetParent(parent.transform, false);
        placed.transform.localPosition = tile.Position;
        Terrain terrain = placed.GetComponent<Terrain>();
        terrain.terrainData = data;
        placed.GetComponent<TerrainCollider>().terrainData = data;
        terrain.allowAutoConnect = true;
        return terrain;
    }
}
#endif
