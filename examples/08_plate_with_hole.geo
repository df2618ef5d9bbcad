// A quarter of a plate with a round hole. gmsh -2 08_plate_with_hole.geo -o 08_plate_with_hole.msh
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 1};
Disk(2) = {0, 0, 0, 0.25};
BooleanDifference(3) = { Surface{1}; Delete; }{ Surface{2}; Delete; };
Physical Surface("plate") = {3};
Physical Curve("left") = Curve In BoundingBox{-0.1, 0.2, -0.1, 0.001, 1.1, 0.1};
Physical Curve("bottom") = Curve In BoundingBox{0.2, -0.1, -0.1, 1.1, 0.001, 0.1};
Physical Curve("outer") = {Curve In BoundingBox{0.9, -0.1, -0.1, 1.1, 1.1, 0.1}, Curve In BoundingBox{-0.1, 0.9, -0.1, 1.1, 1.1, 0.1}};
Physical Curve("hole") = Curve In BoundingBox{-0.1, -0.1, -0.1, 0.26, 0.26, 0.1};
Mesh.MeshSizeMax = 0.2;
Mesh.MeshSizeFromCurvature = 192;
Mesh.MeshSizeExtendFromBoundary = 1;
