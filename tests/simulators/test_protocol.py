from __future__ import annotations

import io
import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from waypost.simulators.answers import restored
from waypost.simulators.protocol import (
    Contact,
    DriveOutcome,
    Message,
    MoverSettings,
    ProtocolError,
    Telemetry,
    encode_message,
    outcome_to_values,
    read_message,
    telemetry_to_values,
    write_message,
)

_finite = st.floats(allow_nan=False, allow_infinity=False)
_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _finite | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
_arrays = st.lists(
    st.sampled_from(["<f4", "<f8", "<i4", "<i8", "|u1", ">f4"]).flatmap(
        lambda dtype: npst.arrays(dtype, npst.array_shapes(min_dims=0, min_side=0, max_side=5))
    ),
    max_size=3,
)
_vec3 = st.tuples(_finite, _finite, _finite)
_contacts = st.lists(st.builds(Contact, _vec3, _vec3, st.text()), max_size=3).map(tuple)


def _round_trip(message: Message) -> Message:
    stream = io.BytesIO(b"".join(encode_message(message)))
    result = read_message(stream)
    assert result is not None
    assert read_message(stream) is None
    return result


@given(st.text(), st.integers(0, 2**40), st.dictionaries(st.text(), _json, max_size=4), _arrays)
def test_read_of_write_is_identity(kind, request_id, values, arrays):
    result = _round_trip(Message(kind, request_id, values, tuple(arrays)))
    assert (result.kind, result.request_id, result.values) == (kind, request_id, values)
    assert len(result.arrays) == len(arrays)
    for got, sent in zip(result.arrays, arrays, strict=True):
        np.testing.assert_array_equal(got, sent)
        assert got.dtype == sent.dtype.newbyteorder("<")


@given(st.data())
def test_a_truncated_message_is_an_error_and_never_a_message(data):
    whole = b"".join(encode_message(Message("reply", 3, {"a": 1}, (np.arange(4.0),))))
    cut = data.draw(st.integers(1, len(whole) - 1))
    with pytest.raises(ProtocolError):
        read_message(io.BytesIO(whole[:cut]))


@given(st.binary(min_size=1, max_size=200))
def test_foreign_bytes_are_refused(noise):
    with pytest.raises(ProtocolError):
        read_message(io.BytesIO(noise))


@pytest.mark.parametrize(
    "header",
    [
        b"[]",
        b"{}",
        b"\xff",
        b'{"kind":1,"id":0,"values":{},"arrays":[]}',
        b'{"kind":"a","id":0,"values":[],"arrays":[]}',
        b'{"kind":"a","id":0,"values":{},"arrays":[["|O",[1]]]}',
        b'{"kind":"a","id":0,"values":{},"arrays":[["<f4",[-1]]]}',
        b'{"kind":"a","id":0,"values":{},"arrays":[3]}',
    ],
)
def test_a_malformed_header_is_refused(header):
    with pytest.raises(ProtocolError):
        read_message(io.BytesIO(struct.pack("<4sI", b"WPT\x01", len(header)) + header))


def test_not_a_number_is_never_written():
    stream = io.BytesIO()
    with pytest.raises(ProtocolError, match="reply"):
        write_message(stream, Message("reply", 1, {"x": math.nan}))
    assert stream.getvalue() == b""


def test_arrays_of_objects_are_refused():
    with pytest.raises(ProtocolError, match="object"):
        encode_message(Message("reply", arrays=(np.array([None]),)))


@given(
    st.builds(
        Telemetry,
        st.integers(0, 2**53),
        _vec3,
        _finite,
        _finite,
        _finite,
        _contacts,
        _finite,
        _finite,
        _finite,
        _finite,
        st.none() | _finite,
        st.none() | st.text(),
        st.booleans(),
    )
)
def test_telemetry_survives_the_wire_exactly(telemetry):
    message = _round_trip(Message("reply", 1, telemetry_to_values(telemetry)))
    assert restored(Telemetry, message.values, "telemetry") == telemetry


@given(
    st.builds(
        DriveOutcome,
        st.booleans(),
        _vec3,
        _finite,
        _finite,
        st.booleans(),
        _contacts,
        _finite,
        _finite,
        st.none() | st.text(),
        st.lists(_vec3, max_size=4).map(tuple),
    )
)
def test_an_outcome_survives_the_wire_exactly(outcome):
    message = _round_trip(Message("reply", 1, outcome_to_values(outcome)))
    assert restored(DriveOutcome, message.values, "outcome") == outcome


def test_the_settings_digest_follows_every_value():
    assert MoverSettings().settings_hash == MoverSettings().settings_hash
    assert MoverSettings(stall_s=2.0).settings_hash != MoverSettings().settings_hash
    assert len(MoverSettings().settings_hash) == 16
