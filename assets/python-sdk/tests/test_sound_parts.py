"""The parts of sound: samples, files, the mixer, recorded samples."""

from __future__ import annotations

import math
from array import array
from importlib.util import find_spec
from pathlib import Path

import pytest
from test_poses import needs_numpy
from tones import strength, tone, write_wav

from robot._audio import sound_file
from robot._audio.mixer import MAX_PUSHED_S, Mixer
from robot._audio.recorded_samples import MAX_RECORDED_S, RecordedSamples
from robot._audio.samples import check_samples
from robot._audio.sound_file import Voice, WavFile, open_sound

SECOND = 16_000

without_library = pytest.param(False, id="standard library")
with_library = pytest.param(
    True,
    id="audio library",
    marks=pytest.mark.skipif(
        find_spec("miniaudio") is None,
        reason="miniaudio is not installed here: sound files were NOT read with it",
    ),
)


@pytest.fixture(params=[without_library, with_library])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Runs a test with and without the audio library."""
    if not request.param:
        monkeypatch.setattr(sound_file, "audio_library", lambda: None)
    return bool(request.param)


def read_all(voice: Voice, frames: int = 1000) -> list[float]:
    samples: list[float] = []
    while part := voice.read(frames):
        samples.extend(part)
    voice.close()
    return samples


@pytest.mark.parametrize(
    ("samples", "mono"),
    [
        ([0.5, -0.25, 0], [0.5, -0.25, 0]),
        (array("f", [0.5, -0.25]), [0.5, -0.25]),
        (array("d", [0.5, -0.25]), [0.5, -0.25]),
        ([[0.5], [-0.25], [0]], [0.5, -0.25, 0]),
        ([[0.5, -0.25, 0]], [0.5, -0.25, 0]),
        ([[0.5, 0.25], [0, -1], [1, 0]], [0.375, -0.5, 0.5]),
        ([[0.5, 0, 1], [0.25, -1, 0]], [0.375, -0.5, 0.5]),
        ([], []),
        ([[]], []),
    ],
)
def test_samples_are_mixed_to_one_channel(samples: object, mono: list[float]) -> None:
    assert check_samples(samples).tolist() == mono


@needs_numpy
def test_arrays_of_every_float_and_order_are_samples() -> None:
    import numpy

    stereo = numpy.array([[0.5, 0.25], [0, -1], [1, 0]])
    for kind in ("f4", "f8", "f2", ">f4", "g"):
        assert check_samples(stereo.astype(kind)).tolist() == [0.375, -0.5, 0.5]
        assert check_samples(stereo.astype(kind).T).tolist() == [0.375, -0.5, 0.5]
    assert check_samples(stereo[:, 0]).tolist() == [0.5, 0, 1]
    assert check_samples(stereo.reshape(1, -1)).tolist() == stereo.flatten().tolist()
    with pytest.raises(ValueError, match="divide 16-bit ones by 32768"):
        check_samples(numpy.array([12_000, -500], "i2"))


@pytest.mark.parametrize(
    ("samples", "sentence"),
    [
        (array("h", [12_000]), "divide 16-bit ones by 32768"),
        (b"\0\0", "divide 16-bit ones by 32768"),
        ([0, math.nan], "must be finite"),
        (array("f", [math.inf]), "must be finite"),
        ("loud", "must be numbers"),
        (None, "must be numbers"),
        ([[0, 1], [0]], "must be numbers"),
        (0.5, r"these have the shape \(\)"),
        ([[[0]]], r"these have the shape \(1, 1, 1\)"),
        ([[0] * 9] * 9, r"at most 8 channels; these have the shape \(9, 9\)"),
    ],
)
def test_invalid_samples_are_named(samples: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        check_samples(samples)


@pytest.mark.parametrize("rate_hz", [8000, 16_000, 44_100, 48_000])
def test_a_file_of_any_rate_keeps_its_pitch_and_length(
    reader: bool, tmp_path: Path, rate_hz: int
) -> None:
    path = write_wav(tmp_path / "a.wav", tone(440, 0.5, rate_hz), rate_hz=rate_hz)
    heard = read_all(open_sound(path))
    assert len(heard) == pytest.approx(0.5 * SECOND, abs=20)
    assert strength(heard, 440) == pytest.approx(0.5, rel=0.03)
    assert max(strength(heard, other) for other in (220, 300, 600, 880)) < 0.02


@pytest.mark.parametrize(("width", "exact"), [(1, 0.01), (2, 1e-4), (3, 1e-6), (4, 1e-6)])
@pytest.mark.parametrize("channels", [1, 2, 6])
def test_a_file_of_any_width_and_channels_has_its_samples(
    reader: bool, tmp_path: Path, width: int, exact: float, channels: int
) -> None:
    samples = tone(440, 0.1)
    path = write_wav(tmp_path / "a.wav", samples, width=width, channels=channels)
    assert read_all(open_sound(path), 37) == pytest.approx(samples.tolist(), abs=exact)


def test_a_file_read_in_pieces_is_the_same_as_in_one(tmp_path: Path) -> None:
    path = write_wav(tmp_path / "a.wav", tone(440, 0.2, 44_100), rate_hz=44_100)
    at_once = read_all(WavFile(str(path)), SECOND)
    for frames in (1, 7, 500):
        assert read_all(WavFile(str(path)), frames) == pytest.approx(at_once, abs=1e-6)


def test_an_invalid_sound_file_is_named(reader: bool, tmp_path: Path) -> None:
    (tmp_path / "poem.wav").write_text("Roses are red." * 100)
    (tmp_path / "empty.wav").touch()
    with pytest.raises(FileNotFoundError, match="There is no sound file 'wake_up.wav'"):
        open_sound("wake_up.wav")
    with pytest.raises(FileNotFoundError, match="There is no sound file"):
        open_sound(tmp_path)
    for name in ("poem.wav", "empty.wav"):
        with pytest.raises(ValueError, match=f"{name}' is no"):
            open_sound(tmp_path / name)


def test_a_truncated_file_is_played_up_to_its_end(reader: bool, tmp_path: Path) -> None:
    path = write_wav(tmp_path / "a.wav", tone(440, 0.5))
    path.write_bytes(path.read_bytes()[: 44 + 2 * 1000 + 1])
    assert len(read_all(open_sound(path))) == pytest.approx(1000, abs=1)


def test_the_mixer_returns_pushed_samples_in_order_and_in_pieces_of_any_size() -> None:
    mixer = Mixer()
    pushed = tone(440, 0.1)
    for at in range(0, len(pushed), 100):
        assert mixer.push(pushed[at : at + 100])
    pulled = array("f")
    for frames in (1, 99, 150, 700, 10, 5000):
        pulled.extend(mixer.pull(frames))
    assert pulled == pushed
    assert not mixer.pull(100)


def test_the_volume_applies_to_the_mix_and_to_what_is_already_queued() -> None:
    volume = [1.0]
    mixer = Mixer(lambda: volume[0])
    mixer.push(array("f", [0.5] * 30))
    assert list(mixer.pull(10)) == [0.5] * 10
    volume[0] = 0.25
    assert list(mixer.pull(10)) == [0.125] * 10
    volume[0] = 0
    assert list(mixer.pull(10)) == [0] * 10


def test_sounds_are_mixed_and_clipped(tmp_path: Path) -> None:
    mixer = Mixer()
    for _ in range(3):
        mixer.play(WavFile(str(write_wav(tmp_path / "a.wav", [0.5] * 10))))
    mixer.push(array("f", [-0.75] * 4))
    assert mixer.pull(20).tolist() == pytest.approx([0.75] * 4 + [1.0] * 6, abs=1e-4)
    mixer.push(array("f", [-3, 2, 0.5]))
    assert mixer.pull(20).tolist() == [-1, 1, 0.5]


def test_beyond_a_minute_the_oldest_samples_are_dropped() -> None:
    mixer = Mixer()
    for second in range(MAX_PUSHED_S):
        assert mixer.push(array("f", [second / 100]) * SECOND)
    assert not mixer.push(array("f", [0.99]) * (SECOND // 2))
    assert mixer.pull(SECOND).tolist() == [0] * (SECOND // 2) + [array("f", [0.01])[0]] * 8000
    assert not mixer.push(tone(440, MAX_PUSHED_S + 1))
    assert sum(len(mixer.pull(SECOND)) for _ in range(MAX_PUSHED_S + 2)) == MAX_PUSHED_S * SECOND


class Endless:
    """A sound without end."""

    def __init__(self) -> None:
        self.closed = False

    def read(self, frames: int) -> array[float]:
        return array("f", [0.1]) * frames

    def close(self) -> None:
        self.closed = True


def test_a_ninth_sound_stops_the_first_and_clearing_stops_every_sound() -> None:
    mixer = Mixer()
    sounds = [Endless() for _ in range(9)]
    for sound in sounds:
        mixer.play(sound)
    assert [sound.closed for sound in sounds] == [True] + [False] * 8
    assert mixer.pull(1).tolist() == pytest.approx([0.8])
    mixer.clear()
    assert all(sound.closed for sound in sounds)
    assert not mixer.pull(1)


def test_the_last_half_minute_of_recorded_samples_is_kept() -> None:
    heard = RecordedSamples()
    for second in range(MAX_RECORDED_S + 5):
        heard.add(array("f", [second]).tobytes() * SECOND * 2)
    taken = heard.take()
    assert (len(taken), taken[0], taken[-1]) == (MAX_RECORDED_S * SECOND * 2, 5, MAX_RECORDED_S + 4)
    assert not heard.take()


def test_recorded_samples_are_taken_in_whole_periods_until_the_end() -> None:
    heard = RecordedSamples()
    heard.begin()
    taken = []
    for at in range(100):
        heard.add(array("f", [at] * 2 * 70).tobytes())
        taken.append(heard.take())
    heard.end()
    taken.append(heard.take())
    assert {len(part) for part in taken[:-1]} == {0, 2 * 320}
    assert [frame for part in taken for frame in part[::2]] == [at // 70 for at in range(7000)]
    heard.add(bytes(8))
    heard.begin()
    heard.end()
    assert not heard.take()
