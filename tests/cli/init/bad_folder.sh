echo x >file
"$ASSAY" init file; echo $?
"$ASSAY" init ''; echo $?
"$ASSAY" init file/below; echo $?
