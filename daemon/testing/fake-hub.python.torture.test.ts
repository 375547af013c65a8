/** Checks the fake hub with the real hub's Python client. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { type CommandFailed, runCommand } from '../shared/processes/run-command.ts';
import { startFakeHub } from './fake-hub.ts';
import { pythonFromIndex } from './python/python-from-index.ts';

const LARGE_BYTES = 11 * 1024 * 1024;

test.skipIf(process.platform === 'win32')(
  'the stock Python client creates, fills, finds, reads and deletes a space, and downloads a model',
  async (context) => {
    const env = childEnvironment(process.env, randomUUID());
    const client = await pythonFromIndex('hub-client', env);
    if ('missing' in client) {
      console.warn(`SKIPPED: the hub's own Python client cannot be had: ${client.missing}`);
      return context.skip(client.missing);
    }
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'app', 'wave'), { recursive: true });
    await writeFile(
      join(folder, 'app', 'README.md'),
      '---\ntitle: Wave\nsdk: static\ntags:\n- robot_app\n---\n# Wave\n',
    );
    await writeFile(join(folder, 'app', 'wave', 'main.py'), 'print("wave")\n');
    await writeFile(join(folder, 'app', 'wave', 'large.bin'), Buffer.alloc(LARGE_BYTES, 7));
    await writeFile(join(folder, 'app', 'wave', 'small.onnx'), 'tracked by what its name ends in');

    await using hub = await startFakeHub();
    hub.addToken('hf_writer', { name: 'ada', role: 'write' });
    hub.addToken('hf_full', { name: 'eve', role: 'write', quotaBytes: 10 });
    hub.addToken('hf_reader', { name: 'bob', role: 'read' });
    await hub.addSpace({ id: 'ada/hidden', files: { 'README.md': '# Hidden' }, tags: ['robot_app'], private: true });

    await hub.addModel({
      id: 'ada/tiny',
      files: {
        'README.md': '---\npipeline_tag: text-generation\n---\n',
        'tiny.gguf': { lfs: Buffer.alloc(LARGE_BYTES, 3) },
      },
    });

    const moreEnv = { HF_HOME: folder, HF_HUB_DISABLE_XET: '1', HF_HUB_DISABLE_TELEMETRY: '1', HF_ENDPOINT: hub.url };
    const options = { env, moreEnv, cwd: folder, deadlineMs: 50_000 };
    const lines = await runCommand(client.python, ['-B', '-c', stockClient, hub.url], options).catch(
      (error: CommandFailed) => error.lines,
    );
    const result = lines.at(-1) ?? '';
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^{/)]));
    expect(JSON.parse(result)).toEqual({
      whoami: ['ada', 'write'],
      stranger: 401,
      created: `${hub.url}/spaces/ada/wave`,
      createdAgain: [409, `${hub.url}/spaces/ada/wave`],
      notOnesOwn: 403,
      readOnly: 403,
      uploaded: true,
      sizes: { '.gitattributes': true, 'README.md': true, 'extra.bin': LARGE_BYTES, 'extra.txt': 5 },
      unchanged: true,
      stale: 412,
      binary: [3, true],
      full: 403,
      listed: ['ada/wave'],
      listedForOwner: ['ada/hidden', 'ada/wave'],
      info: { private: false, sdk: 'static', likes: 0, title: 'Wave', tags: ['static', 'robot_app', 'region:us'] },
      shaIsNewest: true,
      siblings: ['.gitattributes', 'README.md', 'extra.bin', 'wave/large.bin', 'wave/main.py', 'wave/small.onnx'],
      largeHere: [LARGE_BYTES, true],
      tree: ['.gitattributes', 'README.md', 'extra.bin', 'wave'],
      inFolder: ['wave/large.bin', 'wave/main.py', 'wave/small.onnx'],
      lastCommits: ['Upload folder using huggingface_hub'],
      pathsInfo: [
        ['README.md', false],
        ['wave/large.bin', true],
      ],
      atFirst: 'print("wave")\n',
      downloadedLarge: [LARGE_BYTES, true],
      snapshot: ['.gitattributes', 'README.md', 'extra.bin', 'wave/large.bin', 'wave/main.py', 'wave/small.onnx'],
      noEntry: 'RemoteEntryNotFoundError',
      noRevision: 'RevisionNotFoundError',
      noSpace: 'RepositoryNotFoundError',
      hiddenFromStrangers: 'RepositoryNotFoundError',
      deleted: 'RepositoryNotFoundError',
      model: ['ada/tiny', 'text-generation', ['.gitattributes', 'README.md', 'tiny.gguf'], LARGE_BYTES],
      modelFile: LARGE_BYTES,
      noModel: 'RepositoryNotFoundError',
    });
    const atStore = hub.requests.filter(({ path }) => path.startsWith('/large-files/'));
    expect(atStore.map(({ authorization }) => authorization)).toEqual(atStore.map(() => null));
    expect(new Set(atStore.map(({ method }) => method))).toEqual(new Set(['PUT', 'GET']));
  },
  240_000,
);

/** A program for the real hub, without knowledge of the fake one. */
const stockClient = `
import json, sys, warnings
from pathlib import Path
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils import disable_progress_bars

disable_progress_bars()
url, seen, space = sys.argv[1], {}, "ada/wave"
api, reader, nobody = (HfApi(endpoint=url, token=token) for token in ("hf_writer", "hf_reader", False))
kind = {"repo_id": space, "repo_type": "space"}

def refused(ask, say=lambda error: error.response.status_code):
    try:
        return repr(ask())
    except HfHubHTTPError as error:
        return say(error)

name = lambda error: type(error).__name__
who = api.whoami()
seen["whoami"] = [who["name"], who["auth"]["accessToken"]["role"]]
seen["stranger"] = refused(lambda: HfApi(endpoint=url, token="hf_stranger").whoami())

seen["created"] = str(api.create_repo(space, repo_type="space", space_sdk="static"))
seen["createdAgain"] = [
    refused(lambda: api.create_repo(space, repo_type="space", space_sdk="static")),
    str(api.create_repo(space, repo_type="space", space_sdk="static", exist_ok=True)),
]
seen["notOnesOwn"] = refused(lambda: api.create_repo("bob/wave", repo_type="space", space_sdk="static"))
seen["readOnly"] = refused(lambda: reader.create_repo("bob/wave", repo_type="space", space_sdk="static"))

first = api.upload_folder(folder_path="app", **kind).oid
seen["uploaded"] = len(first) == 40
content = bytes(range(256)) * (11 * 1024 * 4)
second = api.create_commit(
    operations=[CommitOperationAdd("extra.bin", content), CommitOperationAdd("extra.txt", b"extra")],
    commit_message="Extras", parent_commit=first, **kind,
).oid
sizes = {f.path: f.size for f in api.list_repo_tree(**kind) if hasattr(f, "size")}
seen["sizes"] = {path: size if path.startswith("extra") else size > 0 for path, size in sizes.items()}
seen["unchanged"] = api.upload_folder(folder_path="app", **kind).oid == second
remove = [CommitOperationDelete("extra.txt")]
seen["stale"] = refused(lambda: api.create_commit(operations=remove, commit_message="Stale", parent_commit=first, **kind))
full = HfApi(endpoint=url, token="hf_full")
full.create_repo("eve/full", repo_type="space", space_sdk="static", private=True)
icon = [CommitOperationAdd("icon.png", b"\\x01\\x00\\x02")]
own = {"repo_id": "eve/full", "repo_type": "space"}
full.create_commit(operations=icon, commit_message="Icon", **own)
stored = next(f for f in full.list_repo_tree(**own) if f.path == "icon.png")
seen["binary"] = [stored.size, stored.lfs is not None]
more = [CommitOperationAdd("text.txt", b"more than ten bytes")]
seen["full"] = refused(lambda: full.create_commit(operations=more, commit_message="More", **own))
third = api.create_commit(operations=remove, commit_message="Less", **kind).oid

seen["listed"] = [s.id for s in nobody.list_spaces(filter=["robot_app", "static"])]
seen["listedForOwner"] = sorted(s.id for s in api.list_spaces(filter="robot_app", full=True))
info = api.space_info(space, files_metadata=True)
seen["info"] = {"private": info.private, "sdk": info.sdk, "likes": info.likes, "title": info.card_data.title, "tags": info.tags}
seen["shaIsNewest"] = info.sha == third
seen["siblings"] = [s.rfilename for s in info.siblings]
large = next(s for s in info.siblings if s.rfilename == "wave/large.bin")
seen["largeHere"] = [large.size, large.lfs is not None]
seen["tree"] = [f.path for f in api.list_repo_tree(**kind)]
seen["inFolder"] = [f.path for f in api.list_repo_tree(path_in_repo="wave", **kind)]
seen["lastCommits"] = sorted({f.last_commit.title for f in api.list_repo_tree(path_in_repo="wave", expand=True, **kind)})
seen["pathsInfo"] = [[f.path, f.lfs is not None] for f in api.get_paths_info(paths=["README.md", "wave/large.bin", "gone"], **kind)]

seen["atFirst"] = Path(nobody.hf_hub_download(filename="wave/main.py", revision=first, **kind)).read_text()
got = Path(api.hf_hub_download(filename="extra.bin", **kind)).read_bytes()
seen["downloadedLarge"] = [len(got), got == content]
copy = Path(api.snapshot_download(local_dir="copy", **kind))
files = [p.relative_to(copy) for p in copy.rglob("*") if p.is_file()]
seen["snapshot"] = sorted(str(p) for p in files if p.parts[0] != ".cache")
assert (copy / "wave" / "large.bin").read_bytes() == Path("app/wave/large.bin").read_bytes()

seen["noEntry"] = refused(lambda: api.hf_hub_download(filename="gone.txt", **kind), name)
seen["noRevision"] = refused(lambda: api.space_info(space, revision="gone"), name)
seen["noSpace"] = refused(lambda: nobody.space_info("ada/gone"), name)
seen["hiddenFromStrangers"] = refused(lambda: reader.space_info("ada/hidden"), name)
api.delete_repo(**kind)
seen["deleted"] = refused(lambda: api.space_info(space), name)

model = api.model_info("ada/tiny", files_metadata=True)
tiny = next(s for s in model.siblings if s.rfilename == "tiny.gguf")
seen["model"] = [model.id, model.pipeline_tag, [s.rfilename for s in model.siblings], tiny.lfs.size]
seen["modelFile"] = Path(nobody.hf_hub_download("ada/tiny", "tiny.gguf", revision=model.sha)).stat().st_size
seen["noModel"] = refused(lambda: nobody.model_info("ada/wave"), name)
print(json.dumps(seen))
`;
