#!/bin/sh
# Makes the files of secrets that compose.yaml names, where there are none: a random password for the database, and an
# empty file for each token and key, to be filled by you. Nobody but you may enter their folder.
set -eu
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/secrets
mkdir -p "$folder"
chmod 700 "$folder"
if [ ! -s "$folder/postgres_password" ]; then
    od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"$folder/postgres_password"
fi
for name in discord_token telegram_token anthropic_api_key; do
    [ -e "$folder/$name" ] || : >"$folder/$name"
done
chmod 644 "$folder"/* # read in the containers by a user of theirs; the folder keeps everybody else out
echo "Put the tokens you have into $folder/discord_token and the others, then: docker compose up --detach"
