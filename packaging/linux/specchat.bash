source <(specchat completion bash)
