# Shared by the scripts of this folder.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

GAMES="breakthrough breakthrough-misere knightthrough knightthrough-misere domineering
domineering-misere nogo nogo-misere atarigo"
