// A block with a hole through it and a bore halfway, for a surface. Made into files by ./make.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 2, 1, 0.5};
Cylinder(2) = {0.5, 0.5, -0.1, 0, 0, 0.7, 0.25};
Cylinder(3) = {1.4, 0.5, 0.25, 0, 0, 0.7, 0.3};
BooleanDifference(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };
Mesh.MeshSizeFromCurvature = 8;
Mesh.MeshSizeMin = 0.2;
Mesh.MeshSizeMax = 0.5;
