# Binary files are left out and counted, whatever they are called; text is not.
mkdir docs
printf '\000\001\002binary\000' >docs/data.bin
printf '\177ELF\002\001\001\000\000\000\000\000' >docs/program
printf '\211PNG\r\n\032\n\000\000\000\rIHDR' >docs/picture.md
printf 'PK\003\004\024\000\000\000' >docs/archive.txt
printf 'a text without an ending\n' >docs/NOTES
printf 'plain\n' >docs/plain.txt
"$ASSAY" ingest docs | sed 1,2d
"$ASSAY" corpus show --format csv | cut -d, -f1-2 | tr -d '\r'
