echo "hello world" >in.txt
"$ASSAY" golden check in.txt
