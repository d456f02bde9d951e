# Runs as a user who backs up to the separate store. The script then attacks the store with the
# permissions of that user.
. /srv/lane/claims.sh
store=http://127.0.0.1:9020
target=127-0-0-1

holdfast init notes --to $store --protocol svc --credentials /etc/holdfast/keys/ann.json --bucket notes \
  --lock governance --days 1 --yes --no-start --json 2>warned.txt >init.json
json '.warnings[0]' <init.json | grep -q 'full access'
sed -i 's/GOVERNANCE/COMPLIANCE/' .config/holdfast/config.yaml
holdfast service install
says 'in sync' holdfast status
says '1 current version locked' holdfast status
claim init warns about a GOVERNANCE lock with a full-access key, and a user service mirrors to the store

id=$(holdfast s3 versions notes/todo.txt --target $target --json | json '.versions[0].versionId')
refused 'forbidden by object lock' holdfast s3 rm notes/todo.txt --version-id "$id" --yes --target $target
refused 'forbidden by object lock' holdfast s3 rm notes/todo.txt --version-id "$id" --bypass-governance --yes --target $target
refused 'job notes keeps' holdfast s3 rm notes/ --recursive --all-versions --yes --target $target
refused 'forbidden by object lock' holdfast lock retention set notes/todo.txt --for 1h --mode GOVERNANCE --bypass-governance --yes --target $target
refused 'job notes keeps' holdfast s3 rb notes --yes --target $target
refused 'Permission denied' ls /var/lib/holdfast
refused 'Permission denied' cat /var/lib/holdfast/config.yaml
refused 'not permitted' sh -c 'kill -KILL $(systemctl show --value --property=MainPID holdfast-store.service)'
refused 'only root may' holdfast service stop --system
refused 'another user' holdfast --home /var/lib/holdfast status
refused 'password is required' sudo -n true
says 'current' holdfast s3 versions notes/todo.txt --target $target
claim a process of the user cannot delete locked versions, read the files of the store or kill its process

holdfast restore --from $store/notes --to rescued --protocol svc --credentials /etc/holdfast/keys/ann.json >/dev/null
test "$(cat rescued/todo.txt)" = 'buy milk'
claim restore needs only the URL of the store and the key file
