# Copies the shared libraries of `program` to the folder `target`, under the names that they are asked for.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program} RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so")
if(missing)
  message(FATAL_ERROR "libraries of ${program} that are not there: ${missing}")
endif()
file(MAKE_DIRECTORY $ENV{DESTDIR}${target})
foreach(library ${libraries})
  get_filename_component(name ${library} NAME)
  file(COPY_FILE ${library} $ENV{DESTDIR}${target}/${name})  # follows links
endforeach()
