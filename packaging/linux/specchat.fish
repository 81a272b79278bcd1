specchat completion fish | source
