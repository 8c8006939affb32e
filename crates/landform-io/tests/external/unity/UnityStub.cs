// As much of Unity as an import script uses: the same names and signatures, by Unity's scripting reference. Runs the script twice on a folder, as a
// user does who exports again, and writes what the terrains then hold.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Reflection;

namespace UnityEngine
{
    public class Object
    {
        public string name = "";
        public static void DestroyImmediate(Object other) { }
    }

    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
    }

    public struct Vector2Int
    {
        public int x, y;
        public Vector2Int(int x, int y) { this.x = x; this.y = y; }
    }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
    }

    public struct Color
    {
        public float r, g, b, a;
        public Color(float r, float g, float b) { this.r = r; this.g = g; this.b = b; a = 1f; }
    }

    public struct Color32
    {
        public byte r, g, b, a;
    }

    public static class Mathf
    {
        public static int Min(int a, int b) { return Math.Min(a, b); }
    }

    public static class Debug
    {
        public static void Log(object message) { Console.WriteLine(message); }
    }

    public enum TextureFormat { RGBA32 = 4 }

    public class Texture2D : Object
    {
        public int width, height;
        Color32[] pixels;
        public Texture2D(int width, int height, TextureFormat format, bool mipChain) : this(width, height, format, mipChain, false) { }
        public Texture2D(int width, int height, TextureFormat format, bool mipChain, bool linear)
        {
            this.width = width;
            this.height = height;
        }
        public Color32[] GetPixels32() { return (Color32[])pixels.Clone(); }
        public void SetPixels(Color[] colors)
        {
            if (colors.Length != width * height)
                throw new ArgumentException("SetPixels");
        }
        public void Apply() { }

        // Rows come from the bottom of the picture.
        internal void Decode(byte[] png)
        {
            byte[] rows = Png.Read(png, out width, out height);
            pixels = new Color32[width * height];
            for (int y = 0; y < height; y++)
            {
                for (int x = 0; x < width; x++)
                {
                    int at = 4 * (y * width + x);
                    pixels[(height - 1 - y) * width + x] =
                        new Color32 { r = rows[at], g = rows[at + 1], b = rows[at + 2], a = rows[at + 3] };
                }
            }
        }
    }

    public static class ImageConversion
    {
        public static bool LoadImage(this Texture2D texture, byte[] data) { texture.Decode(data); return true; }
    }

    // PNG with 8 bits of red, green, blue and alpha, not interlaced.
    static class Png
    {
        internal static byte[] Read(byte[] png, out int width, out int height)
        {
            width = height = 0;
            var packed = new MemoryStream();
            for (int at = 8; at + 8 <= png.Length;)
            {
                int length = Number(png, at);
                string kind = System.Text.Encoding.ASCII.GetString(png, at + 4, 4);
                if (kind == "IHDR")
                {
                    width = Number(png, at + 8);
                    height = Number(png, at + 12);
                    if (png[at + 16] != 8 || png[at + 17] != 6 || png[at + 20] != 0)
                        throw new InvalidDataException("not RGBA of 8 bits");
                }
                if (kind == "IDAT")
                    packed.Write(png, at + 8, length);
                at += length + 12;
            }
            packed.Position = 2;
            var unpacked = new MemoryStream();
            using (var inflate = new DeflateStream(packed, CompressionMode.Decompress))
                inflate.CopyTo(unpacked);
            return Unfilter(unpacked.ToArray(), 4 * width, height);
        }

        static int Number(byte[] data, int at)
        {
            return data[at] << 24 | data[at + 1] << 16 | data[at + 2] << 8 | data[at + 3];
        }

        static byte[] Unfilter(byte[] data, int stride, int height)
        {
            var rows = new byte[stride * height];
            for (int y = 0; y < height; y++)
            {
                int filter = data[y * (stride + 1)];
                for (int k = 0; k < stride; k++)
                {
                    int left = k < 4 ? 0 : rows[y * stride + k - 4];
                    int up = y == 0 ? 0 : rows[(y - 1) * stride + k];
                    int corner = k < 4 || y == 0 ? 0 : rows[(y - 1) * stride + k - 4];
                    int guess = filter == 1 ? left : filter == 2 ? up : filter == 3 ? (left + up) / 2 : 0;
                    if (filter == 4)
                    {
                        int sum = left + up - corner;
                        int a = Math.Abs(sum - left), b = Math.Abs(sum - up), c = Math.Abs(sum - corner);
                        guess = a <= b && a <= c ? left : b <= c ? up : corner;
                    }
                    rows[y * stride + k] = (byte)(data[y * (stride + 1) + 1 + k] + guess);
                }
            }
            return rows;
        }
    }

    public class TerrainLayer : Object
    {
        public Texture2D diffuseTexture;
        public Vector2 tileSize;
    }

    public class TerrainData : Object
    {
        int side = 33;
        Vector3 extent;
        int texels = 512;
        internal float[,] heights;
        internal float[,,] weights;
        public TerrainLayer[] terrainLayers = new TerrainLayer[0];

        public int heightmapResolution
        {
            get { return side; }
            set
            {
                int[] allowed = { 33, 65, 129, 257, 513, 1025, 2049, 4097 };
                if (!allowed.Contains(value))
                    throw new ArgumentException("heightmapResolution " + value);
                side = value;
                heights = new float[side, side];
                // As in Unity: the size changes with it.
                extent = new Vector3(side - 1, 600f, side - 1);
            }
        }

        public Vector3 size
        {
            get { return extent; }
            set { extent = value; }
        }

        public int alphamapResolution
        {
            get { return texels; }
            set
            {
                if (value < 16 || value > 4096 || (value & (value - 1)) != 0)
                    throw new ArgumentException("alphamapResolution " + value);
                texels = value;
            }
        }

        public void SetHeights(int xBase, int yBase, float[,] values)
        {
            if (xBase != 0 || yBase != 0 || values.GetLength(0) != side || values.GetLength(1) != side)
                throw new ArgumentException("SetHeights");
            heights = values;
        }

        public void SetAlphamaps(int x, int y, float[,,] map)
        {
            if (x != 0 || y != 0 || map.GetLength(0) != texels || map.GetLength(1) != texels || map.GetLength(2) != terrainLayers.Length)
                throw new ArgumentException("SetAlphamaps");
            weights = map;
        }
    }

    public class Component : Object
    {
        public GameObject gameObject;
        public Transform transform { get { return gameObject.transform; } }
    }

    public class Transform : Component
    {
        internal readonly List<Transform> children = new List<Transform>();
        public Vector3 localPosition;
        public Transform Find(string wanted) { return children.FirstOrDefault(child => child.gameObject.name == wanted); }
        public void SetParent(Transform parent, bool worldPositionStays)
        {
            if (!parent.children.Contains(this))
                parent.children.Add(this);
        }
    }

    public class TerrainCollider : Component
    {
        public TerrainData terrainData;
    }

    public class Terrain : Component
    {
        public TerrainData terrainData;
        public bool allowAutoConnect;
        internal Terrain[] neighbors;
        public void SetNeighbors(Terrain left, Terrain top, Terrain right, Terrain bottom)
        {
            neighbors = new[] { left, top, right, bottom };
        }
        public static GameObject CreateTerrainGameObject(TerrainData assignTerrain)
        {
            var made = new GameObject("Terrain");
            made.Add(new Terrain { terrainData = assignTerrain });
            made.Add(new TerrainCollider { terrainData = assignTerrain });
            return made;
        }
    }

    public class GameObject : Object
    {
        internal static readonly List<GameObject> Scene = new List<GameObject>();
        readonly List<Component> components = new List<Component>();
        public Transform transform { get { return GetComponent<Transform>(); } }
        public GameObject(string name)
        {
            this.name = name;
            Add(new Transform());
            Scene.Add(this);
        }
        internal void Add(Component component)
        {
            component.gameObject = this;
            components.Add(component);
        }
        public T GetComponent<T>() where T : Component { return components.OfType<T>().FirstOrDefault(); }
        public static GameObject Find(string wanted) { return Scene.FirstOrDefault(known => known.name == wanted); }
    }
}

namespace UnityEditor
{
    using UnityEngine;

    public sealed class MenuItem : Attribute
    {
        public MenuItem(string itemName) { }
    }

    public static class EditorUtility
    {
        public static void SetDirty(UnityEngine.Object target) { }
    }

    public static class AssetDatabase
    {
        internal static string Script;
        internal static readonly Dictionary<string, UnityEngine.Object> Assets = new Dictionary<string, UnityEngine.Object>();
        public static string[] FindAssets(string filter)
        {
            string[] words = filter.Split(' ');
            bool fits = words[1] == "t:MonoScript" && Path.GetFileName(Script).Contains(words[0]);
            return fits ? new[] { "guid" } : new string[0];
        }
        public static string GUIDToAssetPath(string guid) { return Script; }
        public static T LoadAssetAtPath<T>(string path) where T : UnityEngine.Object
        {
            UnityEngine.Object found;
            return Assets.TryGetValue(path, out found) ? found as T : null;
        }
        public static void CreateAsset(UnityEngine.Object asset, string path)
        {
            if (Assets.ContainsKey(path))
                throw new InvalidOperationException(path + " is made twice");
            Assets[path] = asset;
        }
        public static void SaveAssets() { }
    }
}

static class Harness
{
    static int Main(string[] args)
    {
        string folder = args[0], results = args[1];
        UnityEditor.AssetDatabase.Script = Directory.GetFiles(folder, "LandformImport_*.cs").Single().Replace('\\', '/');
        Type type = Assembly.GetExecutingAssembly().GetTypes().Single(known => known.Name.StartsWith("LandformImport_") && !known.IsNested);
        MethodInfo import = type.GetMethod("Import", BindingFlags.Public | BindingFlags.Static);
        import.Invoke(null, null);
        import.Invoke(null, null);
        var lines = new List<string>();
        foreach (UnityEngine.GameObject placed in UnityEngine.GameObject.Scene)
        {
            var terrain = placed.GetComponent<UnityEngine.Terrain>();
            if (terrain == null)
                continue;
            var data = terrain.terrainData;
            if (placed.GetComponent<UnityEngine.TerrainCollider>().terrainData != data)
                throw new InvalidOperationException("the collider has other data");
            UnityEngine.Vector3 at = placed.transform.localPosition, size = data.size;
            float[] numbers = { at.x, at.y, at.z, size.x, size.y, size.z };
            string neighbors = string.Join(",", terrain.neighbors.Select(other => other == null ? "" : other.gameObject.name).ToArray());
            string layers = string.Join(",", data.terrainLayers.Select(Path).ToArray());
            string shown = string.Join(" ", numbers.Select(number => number.ToString("R", CultureInfo.InvariantCulture)).ToArray());
            lines.Add(placed.name + "\t" + shown + "\t" + data.heightmapResolution + "\t" + neighbors + "\t" + layers);
            Dump(results + "/" + placed.name + ".heights", data.heights.Cast<float>());
            Dump(results + "/" + placed.name + ".weights", data.weights.Cast<float>());
        }
        File.WriteAllLines(results + "/terrains.tsv", lines.ToArray());
        return 0;
    }

    static string Path(UnityEngine.TerrainLayer layer)
    {
        string path = UnityEditor.AssetDatabase.Assets.Single(known => known.Value == layer).Key;
        return System.IO.Path.GetFileNameWithoutExtension(path);
    }

    static void Dump(string path, IEnumerable<float> values)
    {
        using (var writer = new BinaryWriter(File.Create(path)))
        {
            foreach (float value in values)
                writer.Write(value);
        }
    }
}
