// A plate [-1, 1]^2 with a round hole, and a round core of another material. Made into files by ./make.
SetFactory("OpenCASCADE");
Rectangle(1) = {-1, -1, 0, 2, 2};
Disk(2) = {0.4, 0.4, 0, 0.3};
Disk(3) = {-0.4, -0.4, 0, 0.25};
BooleanDifference(4) = { Surface{1}; Delete; }{ Surface{2}; Delete; };
BooleanFragments{ Surface{4}; Delete; }{ Surface{3}; Delete; }
core() = Surface In BoundingBox{-0.7, -0.7, -0.1, -0.1, -0.1, 0.1};
all() = Surface{:};
rest() = all();
rest() -= core();
Physical Surface("core") = core();
Physical Surface("plate") = rest();
Physical Curve("left") = Curve In BoundingBox{-1.1, -1.1, -0.1, -0.9, 1.1, 0.1};
Physical Curve("right side") = Curve In BoundingBox{0.9, -1.1, -0.1, 1.1, 1.1, 0.1};
Physical Curve("hole") = Curve In BoundingBox{0, 0, -0.1, 0.8, 0.8, 0.1};
Physical Curve("rim of the core") = Curve In BoundingBox{-0.7, -0.7, -0.1, -0.1, -0.1, 0.1};
Physical Curve("ends") = {Curve In BoundingBox{-1.1, -1.1, -0.1, -0.9, 1.1, 0.1}, Curve In BoundingBox{0.9, -1.1, -0.1, 1.1, 1.1, 0.1}};
Mesh.MeshSizeMax = 0.4;
Mesh.MeshSizeFromCurvature = 16;
