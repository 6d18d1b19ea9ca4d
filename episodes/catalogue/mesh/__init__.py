"""Construction of meshes: pieces, sweeps, carpentry, dirt and glTF."""
