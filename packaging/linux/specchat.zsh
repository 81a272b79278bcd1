#compdef specchat
source <(specchat completion zsh)
_specchat "$@"
