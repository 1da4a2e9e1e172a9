"""Parts of neural networks that taggers and training share. Nothing here loads torch before it is needed."""
