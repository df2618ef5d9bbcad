// A cube [0, 1]^3 with a ball-shaped cavity, and a bar of another material along an edge. Made into files by ./make.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Sphere(2) = {0.6, 0.6, 0.6, 0.25};
Box(3) = {0, 0, 0, 0.3, 1, 0.3};
BooleanDifference(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanFragments{ Volume{4}; Delete; }{ Volume{3}; Delete; }
bar() = Volume In BoundingBox{-0.1, -0.1, -0.1, 0.4, 1.1, 0.4};
all() = Volume{:};
rest() = all();
rest() -= bar();
Physical Volume("bar") = bar();
Physical Volume("matrix") = rest();
Physical Surface("cavity") = Surface In BoundingBox{0.3, 0.3, 0.3, 0.9, 0.9, 0.9};
Physical Surface("bottom") = Surface In BoundingBox{-0.1, -0.1, -0.1, 1.1, 1.1, 0.1};
Mesh.MeshSizeMax = 0.6;
Mesh.MeshSizeFromCurvature = 5;
Mesh.MeshSizeMin = 0.35;
